internal import RefreshProtocol
internal import RefreshSession
internal import Synchronization
internal import WebSocketTransport

/// What clock-driven frames cost each network, over all loops. May be used on any thread. It is
/// used only if `playedBytesPerAddressMax` is set.
final class NetworkPlay: Sendable {
    private struct State {
        var budgets: [PeerNetwork: PlayBudget] = [:]
        /// The number of networks at which those without debt are removed.
        var sweepAt = NetworkPlay.sweepMin
    }

    private static let sweepMin = 1024
    /// No more than so long a network waits for what it was sent, whatever that was: else a client
    /// that comes again and again would take the frames of all others there for long.
    private static let debtMsMax = 5000.0

    private let state = Mutex(State())

    /// The number of networks with a budget.
    var count: Int { state.withLock { $0.budgets.count } }

    /// Charges frames that a session of `network` was sent. Returns when that session may be sent
    /// more. Each session waits until all earlier frames are paid for, so the sessions take turns.
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

    /// Until when a new session of `network` waits with its first frames.
    func paidUntil(of network: PeerNetwork) -> Instant {
        state.withLock { $0.budgets[network]?.paidUntil ?? PlayBudget.past }
    }
}
