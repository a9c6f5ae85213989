internal import RefreshBroker
internal import RefreshProtocol
internal import RefreshSession

/// The delays of the refreshes that one change of a feed causes. Source: docs/backends.md,
/// "Changes".
///
/// The delay of a session is computed from the session, the change and the daemon's seed. The
/// delays of many sessions are distributed evenly from 0 to `spreadMs`.
struct ChangeSpread: Sendable {
    let policy: FeedPolicy.Changes
    /// The hash of the change.
    private let change: UInt64

    /// `number`: the number of the change.
    init(_ policy: FeedPolicy.Changes, number: UInt64, seed: UInt64) {
        self.policy = policy
        change = (seed ^ number.mixed).mixed
    }

    /// Milliseconds: at least 0, less than `spreadMs`. `session`: the initial key of the session.
    func delayMs(of session: SessionKey) -> Double {
        Double(policy.spreadMs) * (change ^ session.mixed).mixed.fraction
    }
}

/// The number of sessions of the daemon that begin to refresh in each second because of changes of
/// one feed.
struct RefreshBudget {
    /// The number of sessions in each second. The key is the second of the daemon's clock.
    private var taken: [Int64: Int] = [:]
    /// The first second that may be free for a session whose own second is full.
    private var free: Int64 = 0

    private static let second: Int64 = 1_000_000
    /// The longest period in which one session may refresh, in seconds.
    private static let periodMax: Int64 = 60

    /// Reserves a time for a session that may refresh at `due`. Returns when the session refreshes:
    /// at `due`, or in a later second if the second of `due` is full. `share`: the part of
    /// `perSecondMax` that applies. If it is less than one session in a second, one session may
    /// refresh in every second or third second, and so on.
    mutating func takePlace(
        at due: Instant, perSecondMax: Int, share: Double = 1
    ) -> Instant {
        let places = Double(perSecondMax) * share
        let most = max(1, Int(places))
        let period = places < 1 ? Int64(min(Double(Self.periodMax), (1 / places).rounded(.up))) : 1
        let own = due.microseconds / Self.second
        let count = taken[own, default: 0]
        if count < most, own % period == 0 {
            taken[own] = count + 1
            return due
        }
        free = max(free, own + 1)
        while free % period != 0 || taken[free, default: 0] >= most { free += 1 }
        let place = taken[free, default: 0]
        taken[free] = place + 1
        return Instant(
            microseconds: free * Self.second + Int64(place) * Self.second / Int64(most))
    }

    /// Removes the seconds before `now`.
    mutating func forgetPast(at now: Instant) {
        let current = now.microseconds / Self.second
        taken = taken.filter { $0.key >= current }
    }
}
