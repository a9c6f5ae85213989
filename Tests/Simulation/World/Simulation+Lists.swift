import RefreshBroker
import RefreshProtocol

// The edits of model lists, and what clients must show when the world has come to rest.
extension Simulation {
    /// The moments of the quiet phase in milliseconds: the last change, the end of all polls, and
    /// the last refresh of all clients.
    private static let lastChangeMs = 20_000.0
    private static let noPollsMs = 30_000.0
    private static let lastRefreshMs = 38_000.0

    /// Plans the edits of the model lists. About half of the edits are reported to the daemons at
    /// once, a quarter 300 ms later, and the others never.
    func planEdits() {
        guard let readers = plan.readers, let lists = backends.lists else { return }
        for _ in 0..<readers.edits {
            let feed = generator.pick(ModelFeed.allCases)
            let reportsMs = generator.pick([0, 0, 300, 100_000])
            agenda.after(generator.milliseconds(100, 15_000)) { [self] in
                guard !isQuiet else { return }
                count("list", "edited")
                lists.edit(feed, &generator)
                agenda.after(Double(reportsMs)) { [self] in
                    if !isQuiet { reportChange(of: feed) }
                }
            }
        }
    }

    private func reportChange(of feed: ModelFeed) {
        count("list", "reported")
        backends.lists?.recordReport(of: feed, at: agenda.now)
        // A daemon that drains still answers its clients, so it must know of the change, too.
        for daemon in daemons + replacedDaemons { daemon.feedChanged(FeedChange(feed.rawValue)) }
    }

    /// Plans the end of the quiet phase: all lists change once more, polls end, and all clients
    /// refresh.
    func planRest() {
        guard plan.readers != nil, let lists = backends.lists else { return }
        agenda.after(Self.lastChangeMs) { [self] in
            for feed in ModelFeed.allCases {
                for _ in 0..<5 { lists.edit(feed, &generator) }
                reportChange(of: feed)
            }
        }
        agenda.after(Self.noPollsMs) { [self] in
            for client in clients { client.prepareToRest() }
        }
        agenda.after(Self.lastRefreshMs) { [self] in
            for client in clients { checkNotifiedLists(of: client) }
            for client in clients { client.refreshAll() }
        }
    }

    /// Checks that a view that has not received `newer` shows the current items of the model,
    /// although its user has not refreshed.
    private func checkNotifiedLists(of client: SimulatedClient) {
        for index in client.views.indices {
            let view = client.views[index]
            guard failure == nil, view.isAttached, let reader = view.reader,
                reader.options.changes != "ignore", let list = view.list, !view.hasNewer,
                // A list that was reset has no page, and a change of the feed does not load one.
                !reader.items.isEmpty || !list.hasMore
            else { continue }
            count("compared", "lists after a change")
            compareList(of: client, viewAt: index)
        }
    }

    /// Checks that each view shows the model after its last refresh.
    func checkCurrentLists(of client: SimulatedClient) {
        for index in client.views.indices where client.views[index].reader != nil {
            guard failure == nil else { return }
            count("compared", "lists")
            compareList(of: client, viewAt: index)
        }
    }

    private func compareList(of client: SimulatedClient, viewAt index: Int) {
        let view = client.views[index]
        guard let reader = view.reader, let lists = backends.lists else { return }
        let model = lists.items(of: reader.feed, query: reader.query)
        let part = ModelLists.part(of: model, from: reader.start, count: reader.items.count)
        if let item = reader.items.first(where: { $0.query != reader.query }) {
            client.broken(
                BrokenRule(.query, "shows \(item.number) under query \(reader.query) at rest"),
                viewAt: index)
        }
        if reader.items != part || (part.isEmpty && !model.isEmpty) {
            client.broken(
                BrokenRule(
                    .list,
                    "shows \(reader.items) from \(reader.start) on, and the model has \(model)"),
                viewAt: index)
        }
        let end = reader.start + part.count
        let isFull = plan.readers?.statesMore == false && part.count % ModelFeed.size == 0
        let hasMore = view.list?.hasMore ?? false
        if hasMore != (end < model.count), !isFull || !hasMore {
            client.broken(
                BrokenRule(.list, "`more` is \(hasMore) at \(end) of \(model.count) items"),
                viewAt: index)
        }
        if reader.layout.items != reader.items {
            client.broken(BrokenRule(.list, "has not laid out its items"), viewAt: index)
        }
    }
}
