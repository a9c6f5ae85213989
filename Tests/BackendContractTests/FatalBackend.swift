import RefreshBroker

/// A rig's backend that is asked what makes it fail, whatever it is asked.
struct FatalBackend: Backend {
    let rig: Rig

    func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        try await rig.backend.load(rig.fatal.map { BackendCall($0) } ?? call)
    }
}
