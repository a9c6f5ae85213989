internal import Dispatch
internal import Glibc
internal import RefreshBroker
internal import Synchronization
internal import WebSocketTransport

/// How the daemon stops. Source: docs/operations.md, "Draining".
extension Server {
    /// How long sessions that were ended may take to close, milliseconds.
    private static let closingMs = 5000
    /// How long workers may take then.
    private static let workersMs = 500

    /// Stops in order: not ready any more, listeners closed, sessions told and closed with 4100,
    /// each in its time, their closing awaited within a bound. Returns at once; `completion` is
    /// called on another thread, once.
    package func drain(_ completion: @escaping @Sendable () -> Void) {
        guard parts.occupancy.beginStopping() else { return }
        let settings = current.withLock(\.configuration).drain
        // A thread of its own: it waits, and those of concurrent queues are the ones of all tasks,
        // among them the calls whose end is awaited here.
        let steps: @Sendable () -> Void = { [self] in
            Self.pause(milliseconds: settings.delayMs)
            parts.occupancy.beginDraining()
            onEachLoop { $0.drain(settings) }
            let left = parts.occupancy.waitUntilEmpty(
                milliseconds: max(settings.spreadMs, settings.loadsMs) + Self.closingMs)
            if left > 0 { parts.log(.drainTimedOut, [.sessions: String(left)]) }
            onEachLoop { $0.drainRest() }
            dismissWorkers()
            broker.stop()
            parts.stopJournals(withinMilliseconds: Self.journalMs)
            parts.log(.stopped)
            completion()
        }
        // Where the system has no thread to give, a shared one is better than no end.
        guard let thread = ServiceThread(steps) else {
            return DispatchQueue.global().async(execute: steps)
        }
        thread.detach()
    }

    /// Waits until workers were told, who have no load any more.
    private func dismissWorkers() {
        var waitedMs = 0
        while let workers = current.withLock(\.workers), workers.count > 0,
            waitedMs < Self.workersMs
        {
            Self.pause(milliseconds: 10)
            waitedMs += 10
        }
    }

    /// On the loops, which have made their handlers before they take any job.
    private func onEachLoop(_ job: @escaping @Sendable (LoopHandler) -> Void) {
        for (index, loop) in loops.enumerated() {
            loop.post { [handlers] in handlers[index].map(job) }
        }
    }

    private static func pause(milliseconds: Int) {
        guard milliseconds > 0 else { return }
        var left = timespec(
            tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        var rest = timespec()
        while unsafe nanosleep(&left, &rest) != 0, errno == EINTR { left = rest }
    }
}
