import RefreshProtocol

/// What the reader of a model list knows, has received and shows.
struct ListReader {
    /// A load as its `loading` message with the phase `began` describes it.
    struct Load {
        let pages: Int
        let cause: String
        let depth: String
        /// The pages of the feed in sight when the load began, as the daemon estimates them. Nil
        /// if the daemon may have known other sizes or another offset.
        var sight: ClosedRange<Int>?
        /// The number of pages from the first page of the feed to the end of the list.
        var pagesToEnd: Int
    }

    /// The item whose place on the screen must stay the same.
    struct Pin {
        /// The `seq` of the message that reports its new position.
        let seq: Int
        let number: Int
        /// Its distance from the top of the screen.
        let screenY: Double
    }

    /// The options of the refresh edge, as the client configures them.
    struct Options {
        var depth: String
        let changes: String
        let repetition: String
        var pollMs: Int
        let staleAfter: Int
    }

    let feed: ModelFeed
    let initial: String
    /// Whether the client's platform, without help, keeps the item that the user reads at the same
    /// place on the screen.
    let keepsPlace: Bool
    var options: Options

    /// The queries that the client has sent, each with its `seq`. The first one is that of the
    /// `attach`.
    private(set) var queries: [(seq: Int, query: Int)] = [(0, 0)]
    /// The number of `queries` when the last `hello` was sent.
    private var queriesInHello = 1
    /// The last `seq` of the client when the last `hello` was sent.
    private var seqOfHello = 0
    /// The `seq` of each message with which the client may empty the list.
    var clearing: [Int] = []
    /// The largest `ack` that was known when the list was last replaced.
    var ackOfList = 0

    /// The received items, in order.
    var items: [ModelItem] = []
    /// The answer with the last item.
    var lastAnswer: ModelAnswer?
    /// The index of the first item of the list in the model list.
    var start = 0
    /// The number of accepted pages.
    var pages = 0
    /// Whether the daemon continues this list. After a new query or a reset, the daemon begins
    /// another list.
    private(set) var continuesList = false
    /// The last message of the client, by `seq`, after which the daemon begins another list.
    private var seqOfNewList = 0
    /// The first answer of the list.
    var firstAnswer: ModelAnswer?
    var loads: [String: Load] = [:]

    /// The items on the screen. They are updated a moment after items are received.
    var layout = ListLayout()
    var isLayoutScheduled = false
    /// The anchor that the client has reported last.
    var anchor: (number: Int, position: Double)?
    private(set) var pin: Pin?
    /// The place of the list is not known before the daemon has handled the message with this
    /// `seq`.
    private(set) var unknownPlaceSeq = 0

    init(feed: ModelFeed, initial: String, keepsPlace: Bool, query: Int, options: Options) {
        self.feed = feed
        self.initial = initial
        self.keepsPlace = keepsPlace
        self.options = options
        queries = [(0, query)]
    }

    /// The newest query.
    var query: Int { queries[queries.count - 1].query }

    /// Whether the view gets its first items without a message.
    var getsFirstItems: Bool { initial != "none" }

    /// The number of pages of the feed before the first page of the list.
    var skippedPages: Int { start / ModelFeed.size }

    // MARK: Queries

    mutating func recordQuery(_ query: Int, seq: Int) {
        queries.append((seq, query))
        beginList(seq: seq)
    }

    /// Records that the daemon begins another list when it handles the message with this `seq`.
    mutating func beginList(seq: Int) {
        seqOfNewList = seq
        continuesList = false
    }

    /// Records that the items of the list were replaced. The daemon continues this list, unless it
    /// sent these items before it handled the last message that begins another list.
    mutating func continueList(ack: Int) {
        continuesList = ack >= seqOfNewList && items.allSatisfy { $0.query == query }
    }

    /// Records that a `hello` with the newest query was sent.
    mutating func recordHello(seq: Int) {
        queriesInHello = queries.count
        seqOfHello = seq
    }

    /// The queries whose items may arrive in a frame with this `ack`.
    func queries(allowedAt ack: Int) -> Set<Int> {
        let handled = queries.last { $0.seq <= ack } ?? queries[0]
        return Set([handled.query] + queries.filter { $0.seq > ack }.map(\.query))
    }

    /// Begins a new session. `keepsLater`: whether the queries since the last `hello` were sent to
    /// the new session.
    mutating func forget(keepsLater: Bool = false) {
        let later = keepsLater ? Array(queries.dropFirst(queriesInHello)) : []
        let first = keepsLater ? queries[queriesInHello - 1].query : query
        queries = [(0, first)] + later
        queriesInHello = 1
        clearing.removeAll { !keepsLater || $0 <= seqOfHello }
        continuesList = false
        if !keepsLater || seqOfNewList <= seqOfHello { seqOfNewList = 0 }
        ackOfList = 0
        loads = [:]
        attach()
        clear()
    }

    // MARK: Items

    /// Removes the items.
    mutating func clear() {
        items = []
        firstAnswer = nil
        lastAnswer = nil
        start = 0
        pages = 0
    }

    /// Removes the anchor, because the view was attached or its session was resumed, and the daemon
    /// then knows no anchor.
    mutating func attach() {
        anchor = nil
        pin = nil
    }

    // MARK: The item that is read

    mutating func releasePin() { pin = nil }

    mutating func hold(_ pin: Pin) { self.pin = pin }

    mutating func losePlace(until seq: Int) {
        pin = nil
        unknownPlaceSeq = seq
    }

    /// Whether the item is in the list exactly once. If items have no keys, pages can repeat an
    /// item.
    static func isUnique(_ item: ModelItem, in layout: ListLayout) -> Bool {
        layout.items.count { $0.number == item.number } == 1
    }

    /// The offset at which the pinned item is in its place. Nil if there is no such item.
    var pinnedOffset: Double? {
        guard let pin, let index = layout.index(of: pin.number) else { return nil }
        return layout.position(at: index) - pin.screenY
    }

    /// The pages of the feed in sight, as docs/protocol.md estimates them.
    func pagesInSight(at offset: Double, viewport: Double) -> ClosedRange<Int> {
        let length = layout.length / Double(max(pages, 1))
        guard length > 0 else { return skippedPages...skippedPages }
        let last = Double(max(pages, 1) - 1)
        let lower = min(max((offset / length).rounded(.down), 0), last)
        let end = ((offset + viewport) / length).rounded(.up) - 1
        return (skippedPages + Int(lower))...(skippedPages + Int(min(max(end, lower), last)))
    }
}

extension ListReader {
    /// The parameter of the newest query.
    var parameters: [JSONValue.Member] {
        query == 0 ? [] : [.init(ModelFeed.query, .string(ModelFeed.queries[query]))]
    }

    /// The members that the reader adds to the `attach` message.
    var members: [JSONValue.Member] {
        let top: [JSONValue.Member] = [
            .init("depth", .string(options.depth)), .init("changes", .string(options.changes)),
            .init("repeat", .string(options.repetition)),
            .init("pollMs", .number(Double(options.pollMs))),
            .init("staleAfter", .number(Double(options.staleAfter))),
        ]
        return [.init("initial", .string(initial)), .init("top", .object(top))]
    }
}
