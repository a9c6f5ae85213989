import RefreshBroker
import RefreshProtocol

/// The answer that the backend gives to a request, before the daemon changes anything in it.
struct ModelAnswer {
    let feed: ModelFeed
    let query: Int
    /// The index of the answer's first item in its list.
    let start: Int
    /// The number of the page, in feeds with the paging style `page`.
    let page: Int
    let items: [ModelItem]
    let hasMore: Bool
    /// The time at which the list had these items.
    let moment: Instant
}

/// The model lists of all feeds and queries, and the times at which their changes were reported.
final class ModelLists {
    private let plan: ReaderPlan
    private let variant: ServerVariant
    private var lists: [ModelFeed: [ModelList]] = [:]
    /// The lists before their first edit.
    private let oldLists: [ModelFeed: [ModelList]]
    private var reports: [ModelFeed: [Instant]] = [:]

    init(_ plan: ReaderPlan, seed: UInt64, variant: ServerVariant) {
        self.plan = plan
        self.variant = variant
        var generator = SeededGenerator(seed: seed, 90)
        for feed in ModelFeed.allCases {
            lists[feed] = ModelFeed.queries.indices.map {
                ModelList(query: $0, count: generator.below(10) == 0 ? 0 : 3 + generator.below(90))
            }
        }
        oldLists = lists
    }

    func items(of feed: ModelFeed, query: Int) -> [ModelItem] { lists[feed]?[query].items ?? [] }

    func edit(_ feed: ModelFeed, _ generator: inout SeededGenerator) {
        lists[feed]?[generator.below(ModelFeed.queries.count)].edit(&generator)
    }

    /// Records that the changes of the feed so far are reported to the daemons.
    func recordReport(of feed: ModelFeed, at now: Instant) {
        reports[feed, default: []].append(now)
    }

    /// The time of the last report of a change before `moment`.
    func lastReport(of feed: ModelFeed, before moment: Instant) -> Instant? {
        reports[feed]?.last { $0 < moment }
    }

    /// The answer to a request, as the model is now.
    func answer(_ request: LoadRequest, _ feed: ModelFeed, at now: Instant) -> ModelAnswer {
        let query = ModelFeed.query(of: request)
        let all = items(of: feed, query: query)
        let start = start(of: request, feed)
        return ModelAnswer(
            feed: feed, query: query, start: start, page: request.page,
            items: Self.part(of: all, from: start, count: request.size),
            hasMore: start + request.size < all.count, moment: now)
    }

    /// The page that the backend sends.
    func page(_ request: LoadRequest, _ answer: ModelAnswer, number: Int) -> Page {
        var items = answer.items
        switch variant {
        case .servesOldPages:
            items = Self.part(
                of: oldLists[answer.feed]?[answer.query].items ?? [], from: answer.start,
                count: request.size)
        case .mixesQueries where answer.query == 2:
            items = Self.part(
                of: self.items(of: answer.feed, query: 1), from: answer.start, count: request.size)
        default: break
        }
        let hasCursor = answer.feed == .modelCursors && answer.hasMore
        return Page(
            items: Array("[\(items.map { $0.text(answer: number) }.joined(separator: ","))]".utf8),
            count: items.count, more: plan.statesMore ? answer.hasMore : nil,
            cursor: hasCursor ? String(answer.start + request.size) : nil)
    }

    private func start(of request: LoadRequest, _ feed: ModelFeed) -> Int {
        switch feed.style {
        case .page, .none: (request.page - feed.firstPage) * ModelFeed.size
        case .offset: request.offset
        case .cursor: request.cursor.flatMap { Int($0) } ?? 0
        }
    }

    static func part(of items: [ModelItem], from start: Int, count: Int) -> [ModelItem] {
        Array(items.dropFirst(max(start, 0)).prefix(start < 0 ? 0 : count))
    }
}
