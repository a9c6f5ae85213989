import RefreshBroker

/// A backend that answers every call at once with the same page.
struct InstantBackend: Backend {
    let page: Page

    func load(_ call: BackendCall) async throws(LoadFailure) -> Page { page }
}
