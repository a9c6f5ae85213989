/// Watches a wait of libnats for the server's answer to a ping. libnats measures the time by the
/// clock of the day, which can be set back.
struct FlushWatch {
    private struct Flush {
        let link: UInt
        let timeoutMs: Int64
        var overdueMs: Int64
    }

    /// The time for which a wait of libnats may last too long, in milliseconds.
    private static let overdueMaxMs: Int64 = 1000

    private var flush: Flush?

    /// libnats waits for `timeoutMs`.
    mutating func begin(link: UInt, _ timeoutMs: Int64, at nowMs: Int64) {
        flush = Flush(
            link: link, timeoutMs: timeoutMs, overdueMs: nowMs + timeoutMs + Self.overdueMaxMs)
    }

    mutating func end() { flush = nil }

    /// The time at which the wait has lasted too long; nil if there is none.
    var overdueMs: Int64? { flush?.overdueMs }

    /// Returns the link of a wait that has lasted too long, and watches it no longer. `restarts`:
    /// the wait may have begun only now, or its answer may be there.
    mutating func removeOverdue(at nowMs: Int64, restarts: Bool) -> UInt? {
        guard let known = flush else { return nil }
        if restarts {
            begin(link: known.link, known.timeoutMs, at: nowMs)
            return nil
        }
        guard known.overdueMs <= nowMs else { return nil }
        flush = nil
        return known.link
    }
}
