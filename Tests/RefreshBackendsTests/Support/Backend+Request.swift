import RefreshBroker

extension Backend {
    /// Performs a call with this request and default values for the rest.
    func load(_ request: LoadRequest) async throws(LoadFailure) -> Page {
        try await load(BackendCall(request))
    }

    /// Returns the failure of a load, or nil if it returned a page.
    func failure(_ request: LoadRequest) async -> LoadFailure? {
        do throws(LoadFailure) {
            _ = try await load(request)
            return nil
        } catch {
            return error
        }
    }
}
