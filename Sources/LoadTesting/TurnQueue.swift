/// The times at which connections send their next frames, as a binary heap. The earliest time is
/// first.
struct TurnQueue {
    struct Turn {
        /// The time at which the connection sends, in microseconds of `MonotonicClock`.
        let at: Int64
        /// The number of the connection.
        let number: Int
    }

    private var turns: [Turn] = []

    var first: Turn? { turns.first }

    /// Returns the turns (a connection and its time) that are due before `end`, in no particular
    /// order.
    func due(before end: Int64) -> [Turn] { turns.filter { $0.at < end } }

    mutating func insert(_ turn: Turn) {
        turns.append(turn)
        var child = turns.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard turns[child].at < turns[parent].at else { return }
            turns.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() {
        guard let last = turns.popLast(), !turns.isEmpty else { return }
        turns[0] = last
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < turns.count else { return }
            let right = left + 1
            let child = right < turns.count && turns[right].at < turns[left].at ? right : left
            guard turns[child].at < turns[parent].at else { return }
            turns.swapAt(child, parent)
            parent = child
        }
    }
}
