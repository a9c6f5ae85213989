internal import RefreshProtocol
internal import Synchronization
internal import WebSocketTransport

/// What frames by the clock cost each network, over all loops. From any thread; it is asked only
/// where `playedBytesPerAddressMax` is set.
final class NetworkPlay: Sendable {
    private struct State {
        var budgets: [PeerNetwork: PlayBudget] = [:]
        /// With so many the quiet ones are looked for.
        var sweepAt = NetworkPlay.sweepMin
    }

    private static let sweepMin = 1024

    private let state = Mutex(State())

    /// How many networks something is kept of.
    var count: Int { state.withLock { $0.budgets.count } }

    /// So many bytes have gone to sessions of `network`: when the session may have more that had
    /// them. Each waits until all before it are paid, so they take turns.
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
            state.budgets[network] = budget
            return budget.paidUntil
        }
    }
}
