internal import RefreshProtocol
internal import RefreshSession
internal import Synchronization
internal import WebSocketTransport

/// Limits the bytes of clock-driven frames (animation frames that no message of the client caused)
/// per network, over all loops. Each network has one budget (see `PlayBudget`). Frames are limited
/// only if `playedBytesPerAddressMax` is set. May be used on any thread.
final class NetworkPlay: Sendable {
    private struct State {
        var budgets: [PeerNetwork: PlayBudget] = [:]
        /// When this many networks have a budget, the networks with a full budget are removed.
        var sweepAt = NetworkPlay.sweepMin
    }

    private static let sweepMin = 1024
    /// The longest time that clock-driven frames to a network are delayed because of earlier
    /// frames, in milliseconds. Without this bound, a client that reconnects repeatedly could block
    /// the frames of all other clients of its network for a long time.
    private static let debtMsMax = 5000.0

    private let state = Mutex(State())

    /// The number of networks with a budget.
    var count: Int { state.withLock { $0.budgets.count } }

    /// Charges the frames that were sent to a session of `network`. Returns the time from which
    /// this session may receive more. Each session waits until the budget has paid for all earlier
    /// frames, so the sessions of a network take turns.
    func charge(
        bytes: Int, to network: PeerNetwork, perSecond: Int, at now: Instant
    ) -> Instant {
        state.withLock { state in
            if state.budgets.count >= state.sweepAt {
                state.budgets = state.budgets.filter { !$0.value.isFull(at: now) }
                state.sweepAt = max(Self.sweepMin, 2 * state.budgets.count)
            }
            var budget = state.budgets[network, default: PlayBudget()]
            budget.charge(bytes: bytes, perSecond: perSecond, at: now)
            budget.capDebt(beyondMs: Self.debtMsMax, at: now)
            state.budgets[network] = budget
            return budget.paidUntil
        }
    }

    /// Returns the time before which a new session of `network` receives no clock-driven frames.
    func paidUntil(of network: PeerNetwork) -> Instant {
        state.withLock { $0.budgets[network]?.paidUntil ?? PlayBudget.past }
    }
}
