/// Backends that no feed has any more and that have not stopped yet.
struct RetiredBackends {
    private var waiting: [any Backend] = []
    private var stopping: [UInt64: any Backend] = [:]
    private var lastNumber: UInt64 = 0

    /// Whether there are some that are still to be stopped.
    var isWaiting: Bool { !waiting.isEmpty }

    /// All that may still run.
    var all: [any Backend] { waiting + stopping.values }

    /// These are in no plan any more; the same several times is one.
    mutating func add(_ backends: [any Backend]) {
        for backend in backends
        where !waiting.contains(where: { BackendStop.areSame($0, backend) }) {
            waiting.append(backend)
        }
    }

    /// Those without a call among `busy`, which are to be stopped now, each by a number for
    /// `remove`.
    mutating func takeIdle(besides busy: [any Backend]) -> [(number: UInt64, backend: any Backend)]
    {
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

    /// That one has stopped.
    mutating func remove(_ number: UInt64) { stopping[number] = nil }
}
