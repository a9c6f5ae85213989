/// The backends that no feed uses any more and that have not stopped yet.
struct RetiredBackends {
    private var waiting: [any Backend] = []
    private var stopping: [UInt64: any Backend] = [:]
    private var lastNumber: UInt64 = 0

    /// Whether a backend is waiting to be stopped.
    var isWaiting: Bool { !waiting.isEmpty }

    /// All backends that can still be running.
    var all: [any Backend] { waiting + stopping.values }

    /// Adds backends that are absent from the new plan. Duplicates are added once.
    mutating func add(_ backends: [any Backend]) {
        for backend in backends
        where !waiting.contains(where: { BackendStop.areSame($0, backend) }) {
            waiting.append(backend)
        }
    }

    /// Removes and returns the backends without a running call, each with its number for `remove`.
    /// `busy` are the backends with a running call. The caller must stop the returned backends.
    mutating func removeIdle(besides busy: [any Backend]) -> [(
        number: UInt64, backend: any Backend
    )] {
        var idle: [(number: UInt64, backend: any Backend)] = []
        waiting.removeAll { backend in
            guard !busy.contains(where: { BackendStop.areSame($0, backend) }) else { return false }
            lastNumber += 1
            idle.append((lastNumber, backend))
            return true
        }
        for (number, backend) in idle { stopping[number] = backend }
        return idle
    }

    /// Removes the backend with this number, because it has stopped.
    mutating func remove(_ number: UInt64) { stopping[number] = nil }
}
