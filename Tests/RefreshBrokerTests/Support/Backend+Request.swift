import RefreshBroker

extension Backend {
    /// A call of which only the request matters.
    func load(_ request: LoadRequest) async throws(LoadFailure) -> Page {
        try await load(BackendCall(request))
    }

    /// What a load failed with; nil if it gave a page.
    func failure(_ request: LoadRequest) async -> LoadFailure? {
        do throws(LoadFailure) {
            _ = try await load(request)
            return nil
        } catch {
            return error
        }
    }
}
