import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// One attached view of a session: its engine, and what its client has and has not been told.
struct ViewSlot {
    let id: ViewID
    /// Nil: the client is the backend.
    let feed: FeedUse?
    var engine: Engine
    /// What changed and was not sent.
    var update = ViewUpdate()
    /// The daemon's shares of the insets as sent, points.
    private var sentRefresh = 0.0
    private var sentLoadMore = 0.0
    private var refresh: ShownEdge
    // In the bytes that an edge leaves of its last word.
    /// Whether `update` tells a client that has come back all that holds.
    private var isToldAnew = false
    /// Whether `update` has its place in the session's queue.
    var isQueued = false
    let profile: Profile
    private var loadMore: ShownEdge
    /// Nil: the client is a plain one.
    private(set) var look: ViewLook?

    var generation: UInt32 { engine.generation }

    init(
        id: ViewID, profile: Profile, feed: FeedUse?, engine: Engine, look: ViewLook? = nil
    ) {
        self.id = id
        self.profile = profile
        self.feed = feed
        self.engine = engine
        self.refresh = ShownEdge(state: engine.refresh.state)
        self.loadMore = ShownEdge(state: engine.loadMore.state)
        self.look = look
    }

    /// Takes up what an edge shows now, and what differs from what it showed waits to be told;
    /// whether it is in another state.
    @inline(__always)
    mutating func show(
        _ role: EdgeRole, _ state: EdgeState, progress: Double, cause: Cause?, result: LoadResult?,
        at now: Instant
    ) -> Bool {
        if let look, look.plays {
            look.indicators.show(role, state, pull: progress, result: result, at: now)
        }
        switch role {
        case .refresh: return refresh.show(state, progress, cause, result, in: &update.refresh)
        case .loadMore: return loadMore.show(state, progress, cause, result, in: &update.loadMore)
        }
    }

    /// Whether commands wait to be told. Mutating only in name, as the next: so it is asked in
    /// place.
    @inline(__always)
    mutating func hasCommands() -> Bool { update.hasCommandsInPlace() }

    /// Whether the update has nothing to tell.
    @inline(__always)
    mutating func hasNothingToTell() -> Bool { update.isEmptyInPlace() }

    /// Whether the update has something to tell and no place in the queue yet.
    @inline(__always)
    mutating func wantsPlace() -> Bool { !isQueued && !update.isEmptyInPlace() }

    /// A finger came down before commands were sent that would now move the list under it: the
    /// release tells the insets; where the list is, the finger says.
    mutating func withdrawCommands() {
        update.withdrawCommands()
        engine.withdrawInsets(clientHasRefresh: sentRefresh, loadMore: sentLoadMore)
        guard isToldAnew else { return }
        // Of a client that has come back nobody knows what it shows until it is told.
        update.merge(
            InsetCommand(
                refresh: sentRefresh, loadMore: sentLoadMore,
                timeline: Timeline(start: .origin, duration: 0, curve: .linear)))
    }

    /// Appends the pending update; the client is taken to know it from then on.
    @inline(__always)
    mutating func writeUpdate(ack: UInt64, to frame: inout ByteBuffer) {
        let refreshLook = refresh.look(after: update.refresh)
        let loadMoreLook = loadMore.look(after: update.loadMore)
        UpdateEncoder.write(
            &update, view: id, layout: engine.options.layout, ack: ack, refresh: refreshLook,
            loadMore: loadMoreLook, to: &frame)
        noteWritten(refreshLook, loadMoreLook)
    }

    @inline(__always)
    private mutating func noteWritten(
        _ refreshLook: IndicatorChange?, _ loadMoreLook: IndicatorChange?
    ) {
        if let inset = update.inset {
            sentRefresh = inset.refresh ?? sentRefresh
            sentLoadMore = inset.loadMore ?? sentLoadMore
        }
        refresh.note(update.refresh, refreshLook)
        loadMore.note(update.loadMore, loadMoreLook)
        update.removeAll()
        isQueued = false
        isToldAnew = false
    }

    /// The same for a client that is no plain one; whether the clock has caused it.
    @inline(never)
    mutating func writeLookUpdate(ack: UInt64, to frame: inout ByteBuffer) -> Bool {
        guard let look else { return false }
        let layout = engine.options.layout
        UpdateEncoder.writeOpen(
            &update, view: id, layout: layout, ack: ack, frames: &look.indicators.stage.value,
            to: &frame)
        look.writeNews(layout, to: &frame)
        frame.append(0x7D as UInt8)
        noteWritten(nil, nil)
        return look.takeClock()
    }

    /// Takes up what `event` means for a client that is no plain one; whether it is to be told of
    /// it.
    @inline(never)
    mutating func noteLook(_ event: Event, at now: Instant) -> Bool {
        guard let look, look.note(event, in: &engine, telling: &update, at: now) else {
            return false
        }
        update.callForAttention()
        return true
    }

    /// Brings what a client that is no plain one is shown to `now`; whether it is to be told of it.
    @discardableResult
    mutating func lookAgain(at now: Instant) -> Bool {
        guard let look, look.plays else { return false }
        look.indicators.look(at: now)
        return look.indicators.hasNews()
    }

    /// A frame is due that nobody's message has caused.
    mutating func tellFrame(at now: Instant) {
        guard lookAgain(at: now) else { return }
        // With something else to tell it is not for the frame's sake that it goes out.
        if update.isEmptyInPlace() { look?.noteClock() }
        update.callForAttention()
    }

    /// The client draws otherwise from now on.
    mutating func renewLook(_ look: ViewLook?) { self.look = look }

    /// A client that begins anew, from `attached`, is to be told all that holds, and keeps what
    /// waits for it.
    mutating func tellAll(at now: Instant) {
        if let edge = engine.edge(.refresh) { refresh.beginAnew(edge, in: &update.refresh) }
        if let edge = engine.edge(.loadMore) { loadMore.beginAnew(edge, in: &update.loadMore) }
        // What is about to be told of a room takes its time.
        let waiting = update.inset
        update.merge(
            InsetCommand(
                refresh: waiting?.refresh ?? engine.insets.toldRefresh,
                loadMore: waiting?.loadMore ?? engine.insets.toldLoadMore,
                timeline: waiting?.timeline ?? Timeline(start: now, duration: 0, curve: .linear)))
        isToldAnew = true
        sentRefresh = engine.insets.toldRefresh
        sentLoadMore = engine.insets.toldLoadMore
        update.offset = update.offset ?? engine.commandInForce(at: now)
        if engine.options.refresh?.floor != nil {
            update.showFloor(engine.floor.state, progress: engine.floor.progress)
        }
        if engine.hasNewer { update.showNewer(true) }
        if engine.paging.hasPage {
            update.showList(count: engine.paging.itemCount, hasMore: engine.paging.hasMore)
            update.showLastUpdated(engine.lastUpdated)
        }
    }

    /// The client shows the refresh edge in a state in which it is not: it is told what holds,
    /// whatever it was told before.
    mutating func correct(at now: Instant) {
        look?.noteMistake()
        update.callForAttention()
        update.refresh.state = engine.refresh.state
        if update.refresh.progress == nil, engine.refresh.progress > 0 {
            update.refresh.progress = engine.refresh.progress
        }
        // What is about to be told of the room holds, and takes its time.
        if update.inset?.refresh == nil {
            update.correctInsets(
                refresh: engine.insets.toldRefresh,
                loadMore: update.inset?.loadMore ?? engine.insets.toldLoadMore, at: now)
        }
        if update.offset == nil { update.offset = engine.commandInForce(at: now) }
    }
}

// MARK: Going on elsewhere
extension ViewSlot {
    /// All of a view, and of what its client was told and not told.
    struct Memory: Hashable, Codable {
        var id: ViewID
        var profile: Profile
        var feed: ViewSnapshot.Feed?
        /// Those of the client's headers that the feed passes on.
        var headers: [HeaderField]
        var engine: Engine
        fileprivate var update: ViewUpdate
        fileprivate var sentRefresh: Double
        fileprivate var sentLoadMore: Double
        fileprivate var refresh: ShownEdge
        fileprivate var loadMore: ShownEdge
        fileprivate var isToldAnew: Bool
        fileprivate var isQueued: Bool
        var look: ViewLook.Memory?
    }

    var memory: Memory {
        Memory(
            id: id, profile: profile,
            feed: feed.map { feed in
                ViewSnapshot.Feed(
                    name: feed.name, parameters: feed.parameters, delivered: feed.delivered,
                    shownItems: feed.shownItems.hashes, itemHash: feed.shownItems.foreignHash)
            },
            headers: feed?.headers ?? [], engine: engine, update: update,
            sentRefresh: sentRefresh, sentLoadMore: sentLoadMore, refresh: refresh,
            loadMore: loadMore, isToldAnew: isToldAnew, isQueued: isQueued, look: look?.memory)
    }

    /// The view that `memory` is of.
    init(_ memory: Memory, look: ViewLook?) {
        self.init(
            id: memory.id, profile: memory.profile,
            feed: memory.feed.map { feed in
                FeedUse(
                    name: feed.name, parameters: feed.parameters, headers: memory.headers,
                    shownItems: ShownItems(feed.shownItems, foreignHash: feed.itemHash),
                    delivered: feed.delivered)
            },
            engine: memory.engine, look: look)
        update = memory.update
        sentRefresh = memory.sentRefresh
        sentLoadMore = memory.sentLoadMore
        refresh = memory.refresh
        loadMore = memory.loadMore
        isToldAnew = memory.isToldAnew
        isQueued = memory.isQueued
    }
}
