internal import RefreshProtocol
internal import Synchronization

/// Permits one log line a minute about something that any peer can cause.
final class MinuteInterval: Sendable {
    private let last = Mutex<Instant?>(nil)

    private static let lengthMs = 60_000.0

    /// Returns whether a line is due. If it is, the next one is due a minute later.
    func isDue(at now: Instant) -> Bool {
        last.withLock { last in
            if let last, now.milliseconds(since: last) < Self.lengthMs { return false }
            last = now
            return true
        }
    }
}
