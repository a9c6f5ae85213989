import Conformance
import Synchronization
import WebSocketTransport

/// The progress of a conformance run, which is shown in the last line of a terminal.
final class CaseProgress: Sendable {
    private struct Counts {
        var done = 0
        var failed = 0
    }

    private let total: Int
    private let isShown: Bool
    private let began = MonotonicClock.nowMicroseconds
    private let counts = Mutex(Counts())

    /// Creates the progress of `total` cases. If `isShown` is false, no progress is shown.
    init(of total: Int, isShown: Bool) {
        self.total = total
        self.isShown = isShown
        show("0 of \(total) cases")
    }

    /// Counts a completed case.
    func count(_ result: CaseResult) {
        let counts = counts.withLock { counts in
            counts.done += 1
            if result.verdict == .failed { counts.failed += 1 }
            return counts
        }
        let seconds = (MonotonicClock.nowMicroseconds - began) / 1_000_000
        show(
            "\(counts.done) of \(total) cases, \(counts.failed) failed, \(seconds) s, "
                + "last \(result.subject.id)")
    }

    /// Removes the progress line.
    func end() { show(nil) }

    private func show(_ text: String?) {
        if isShown { Terminal.showProgress(text) }
    }
}
