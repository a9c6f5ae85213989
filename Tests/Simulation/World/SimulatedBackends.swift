import RefreshBroker
import RefreshProtocol

/// The backends of all daemons of a simulation. The backends keep running when a daemon ends.
///
/// The world's seed and the call's number among all calls determine the course of a call:
///
/// - it is answered soon, late, or twice;
/// - it is answered only after the daemon has aborted it;
/// - it fails, either permanently or so that a retry can succeed.
final class SimulatedBackends {
    /// The course of one call.
    struct Course {
        /// The time until the answer, unless `hangs` is set.
        var milliseconds: Double
        /// The failure with which the call is answered. If it is nil, the answer is a page.
        var failure: LoadFailure?
        /// Whether the call is answered only after the daemon has aborted it.
        var hangs = false
        var answersTwice = false
        var progress: [(milliseconds: Double, value: Double)] = []
    }

    private let seed: UInt64
    private let troubles: Int
    private(set) var feeds: [String: SimulatedFeed] = [:]
    var ledger = BackendLedger()
    /// Whether the quiet phase has begun. In this phase, every call is answered soon and without
    /// failure.
    var isQuiet = false

    /// `troubles` is the percentage of calls that are late, hang, are answered twice or fail.
    init(seed: UInt64, troubles: Int) {
        self.seed = seed
        self.troubles = troubles
        var generator = SeededGenerator(seed: seed, 77)
        for kind in SimulatedFeed.Kind.allCases {
            feeds[kind.rawValue] = SimulatedFeed(kind, count: 5 + generator.below(60))
        }
    }

    func grow(_ feed: String, by count: Int) { feeds[feed]?.grow(by: count) }

    func course(of order: CallOrder) -> Course {
        ledger.ask(order)
        var generator = SeededGenerator(seed: seed, 78, ledger.calls)
        var course = Course(milliseconds: generator.milliseconds(2, 150), failure: nil)
        guard !isQuiet else { return course }
        if generator.chance(20) {
            course.progress = [
                (course.milliseconds / 3, 0.25), (course.milliseconds / 2, 0.75),
            ]
        }
        guard generator.chance(troubles) else { return course }
        switch generator.below(7) {
        case 0: course.milliseconds = generator.milliseconds(500, 6000)
        case 1: course.hangs = true
        case 2: course.answersTwice = true
        case 3: course.failure = LoadFailure(.backendRejected, "It is not to be had.")
        case 4: course.failure = LoadFailure(.backendAnswerMalformed, "It cannot be read.")
        default: course.failure = LoadFailure(.backendUnavailable, "Nobody answers.")
        }
        return course
    }

    func answer(_ order: CallOrder, _ course: Course) -> Result<Page, LoadFailure> {
        if let failure = course.failure { return .failure(failure) }
        guard let feed = feeds[order.request.feed] else {
            return .failure(LoadFailure(.backendRejected, "There is no such feed."))
        }
        return .success(feed.page(for: order.request, number: ledger.answer(order)))
    }
}
