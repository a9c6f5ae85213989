import RefreshBroker

/// Answers at once, always the same.
struct InstantBackend: Backend {
    let page: Page

    func load(_ call: BackendCall) async throws(LoadFailure) -> Page { page }
}
