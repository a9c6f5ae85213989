import RefreshBroker

extension Backend {
    /// A call of which only the request matters.
    func load(_ request: LoadRequest) async throws(LoadFailure) -> Page {
        try await load(BackendCall(request))
    }
}
