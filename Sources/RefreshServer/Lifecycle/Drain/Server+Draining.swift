internal import Dispatch
internal import Glibc
internal import RefreshBroker
internal import RefreshConfiguration
internal import Synchronization
internal import WebSocketTransport

/// How the daemon stops. Source: docs/operations.md, "Draining".
extension Server {
    /// The time limit for closing the connections of ended sessions, in milliseconds.
    private static let closingMs = 5000
    /// The time limit for closing the connections of workers, in milliseconds. It begins after the
    /// connections of the sessions are closed.
    private static let workersMs = 500

    /// Stops the daemon in steps. The daemon reports that it is not ready, closes the listeners,
    /// and announces the stop to the sessions. Then it closes each session with the code 4100 at
    /// its scheduled time, and waits for a limited time until all sessions are closed. The method
    /// returns at once. `completion` is called once, on another thread.
    package func drain(_ completion: @escaping @Sendable () -> Void) {
        guard parts.admissionState.beginStopping() else { return }
        let settings = current.withLock(\.configuration).drain
        // The steps block, so they run on a separate thread. On a thread of a concurrent queue, the
        // steps could block the tasks that they wait for.
        let steps: @Sendable () -> Void = { [self] in
            Self.pause(milliseconds: settings.delayMs)
            parts.admissionState.beginDraining()
            onEachLoop { $0.drain(settings) }
            let left = parts.admissionState.waitUntilEmpty(
                milliseconds: max(settings.spreadMs, settings.loadsMs) + Self.closingMs)
            if left > 0 { parts.log(.drainTimedOut, [.sessions: String(left)]) }
            onEachLoop { $0.drainWorkersAndEchoes() }
            waitForWorkers()
            // The other nodes perform the loads that they have asked of this one.
            parts.cluster?.stop(after: broker)
            broker.stop()
            parts.stopJournals(withinMilliseconds: Self.journalMs)
            parts.log(.stopped)
            completion()
        }
        // If no thread can be created, the steps run on a shared thread, so that the daemon still
        // stops.
        guard let thread = ServiceThread(steps) else {
            return DispatchQueue.global().async(execute: steps)
        }
        thread.detach()
    }

    /// Waits until the connections of the workers are closed, but at most for `workersMs`. The
    /// workers have no loads left.
    private func waitForWorkers() {
        var waitedMs = 0
        while let workers = current.withLock(\.workers), workers.count > 0,
            waitedMs < Self.workersMs
        {
            Self.pause(milliseconds: 10)
            waitedMs += 10
        }
    }

    /// Runs `job` on all loops. Each loop creates its handler before it runs any job.
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
