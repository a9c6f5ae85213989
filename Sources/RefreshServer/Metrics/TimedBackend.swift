package import RefreshBroker
package import RefreshSession

/// A backend that measures the duration of each call, whatever the call's result. The start of a
/// call does not switch to another thread.
///
/// The type is a class, so that a backend which several feeds share can be recognised by identity.
package final class TimedBackend: Backend {
    private let backend: any Backend
    private let durations: CallDurations

    package init(_ backend: any Backend, durations: CallDurations) {
        self.backend = backend
        self.durations = durations
    }

    package func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        let start = ContinuousClock.now
        defer { addDuration(since: start) }
        return try await backend.load(call)
    }

    package func edit(_ call: EditCall) async throws(LoadFailure) -> [UInt8]? {
        let start = ContinuousClock.now
        defer { addDuration(since: start) }
        return try await backend.edit(call)
    }

    private func addDuration(since start: ContinuousClock.Instant) {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        durations.add(microseconds: seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }

    package func stop() { backend.stop() }
}
