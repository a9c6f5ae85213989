import RefreshBroker
import RefreshProtocol

/// The backends of all daemons of a simulation. The backends keep running when a daemon ends.
///
/// The world's seed and the call's number among all calls determine the behaviour of a call:
///
/// - it is answered soon, late, or twice;
/// - it is answered only after the daemon has aborted it;
/// - it fails, either permanently or so that a retry can succeed.
final class SimulatedBackends {
    /// The behaviour of one call.
    struct Behaviour {
        /// The time until the answer, unless `hangs` is set.
        var milliseconds: Double
        /// The failure with which the call is answered. If it is nil, the answer is a page.
        var failure: LoadFailure?
        /// Whether the call is answered only after the daemon has aborted it.
        var hangs = false
        /// Whether the daemon has aborted the call.
        var isAborted = false
        var answersTwice = false
        var progress: [(milliseconds: Double, value: Double)] = []
    }

    private let seed: UInt64
    private let troubles: Int
    private(set) var feeds: [String: SimulatedFeed] = [:]
    /// The model lists. Nil in a world without readers.
    let lists: ModelLists?
    /// The list of a live world. Nil in other worlds.
    let board: LiveBoard?
    var ledger = BackendLedger()
    /// Whether the quiet phase has begun. In this phase, every call is answered soon and without
    /// failure.
    var isQuiet = false

    /// `troubles` is the percentage of calls that are late, hang, are answered twice or fail.
    init(_ plan: SimulationPlan, hashedBy hash: SipHash) {
        seed = plan.seed
        troubles = plan.troubles
        lists = plan.readers.map { ModelLists($0, seed: plan.seed, variant: plan.variant) }
        board = plan.live.map { LiveBoard($0, hashedBy: hash) }
        var generator = SeededGenerator(seed: seed, 77)
        for kind in SimulatedFeed.Kind.allCases {
            feeds[kind.rawValue] = SimulatedFeed(kind, count: 5 + generator.below(60))
        }
    }

    func grow(_ feed: String, by count: Int) { feeds[feed]?.grow(by: count) }

    func behaviour(of order: CallOrder) -> Behaviour {
        ledger.recordRequest(order)
        return nextBehaviour()
    }

    /// The behaviour of a call that performs an edit.
    func behaviour(of order: EditOrder) -> Behaviour {
        ledger.recordEdit()
        return nextBehaviour()
    }

    private func nextBehaviour() -> Behaviour {
        var generator = SeededGenerator(seed: seed, 78, ledger.calls)
        var behaviour = Behaviour(milliseconds: generator.milliseconds(2, 150), failure: nil)
        guard !isQuiet else { return behaviour }
        if generator.chance(20) {
            behaviour.progress = [
                (behaviour.milliseconds / 3, 0.25), (behaviour.milliseconds / 2, 0.75),
            ]
        }
        guard generator.chance(troubles) else { return behaviour }
        switch generator.below(7) {
        case 0: behaviour.milliseconds = generator.milliseconds(500, 6000)
        case 1: behaviour.hangs = true
        case 2: behaviour.answersTwice = true
        case 3: behaviour.failure = LoadFailure(.backendRejected, "No such item exists.")
        case 4: behaviour.failure = LoadFailure(.backendAnswerMalformed, "It cannot be read.")
        default: behaviour.failure = LoadFailure(.backendUnavailable, "Host not found.")
        }
        return behaviour
    }

    /// The page that answers the call, from the current items of a model list or a live list. Nil
    /// for other feeds, and if the page is read later.
    func modelPage(_ order: CallOrder, at now: Instant) -> Page? {
        if let board, order.request.feed == LivePlan.feed {
            return board.plan.readsLate ? nil : board.page(order.request)
        }
        guard let lists, let feed = ModelFeed(rawValue: order.request.feed) else { return nil }
        let answer = lists.answer(order.request, feed, at: now)
        let number = ledger.answer(order, at: now, model: answer)
        return lists.page(order.request, answer, number: number)
    }

    func answer(
        _ order: CallOrder, _ behaviour: Behaviour, at now: Instant
    ) -> Result<Page, LoadFailure> {
        if let failure = behaviour.failure { return .failure(failure) }
        if let board, order.request.feed == LivePlan.feed {
            return .success(board.page(order.request))
        }
        guard let feed = feeds[order.request.feed] else {
            return .failure(LoadFailure(.backendRejected, "There is no such feed."))
        }
        return .success(feed.page(for: order.request, number: ledger.answer(order, at: now)))
    }
}
