import RefreshEngine
import RefreshIndicator
import RefreshProtocol

/// One view of a client: what the daemon has sent (`remote`), what the client's own engine computes
/// (`local`), and which of them is shown.
struct ViewMachine: Hashable, Sendable {
    /// The milliseconds in which the shown values move to those of the daemon, when a connection
    /// is back. It is the time that the daemon uses for `blend`.
    static let blendMs = 150.0

    /// The body of `attach`, with the present sizes. Its `offset` is added when it is sent.
    var body: JSONValue
    var remote = ViewState()
    var local = ViewState()
    var replica: Replica?
    private(set) var generation: Double?
    /// An `offset` command whose `ack` is less than this number is outdated.
    var movementSeq: UInt64 = 0
    private var isMoving = false
    /// The number of the last message that had come when the client played a haptic cue by itself.
    var hapticSeq: UInt64?
    /// The spoken cues that the app has received from the client itself, since the daemon's values
    /// were shown last.
    var announced: Set<SpokenCue> = []
    /// Whether the daemon moves the list: the last sample was a `pan`.
    private(set) var pans = false
    /// The number of the last message about the view that the client sent.
    var lastSeq: UInt64 = 0
    /// The time of the last sample of a finger that is down; nil if no finger is down.
    private(set) var touchedAt: Double?
    /// The last sample of the finger, which is repeated while the finger rests.
    private(set) var touch: JSONValue?
    /// Whether the view is not visible.
    var isCovered = false
    /// Whether the view is not visible only because the app is in the background.
    var isHidden = false
    /// The loads that gestures have requested, and the daemon may not have begun.
    var intents: [LoadKind: Intent] = [:]
    /// The rows in sight by the last report of the app, as in the protocol; nil: there was none.
    private(set) var rowsInSight: JSONValue?
    /// The rows that were reported last on this connection.
    var reportedRows: JSONValue?
    /// Whether a query has removed the rows, and its list has not arrived yet.
    var hidesRows = false
    private let hasFeatures: Bool
    /// Why the view cannot be attached; nil if it can.
    let flaw: ViewFlaw?
    /// The `attach` that the daemon has not answered yet; nil: there is none.
    var unanswered: Attachment?
    /// The daemon's text for the fault with which it has refused the view.
    var refusalText: String?
    /// The items as the daemon has sent them, to which patches apply.
    var patcher = ListPatcher()
    /// The edits that have no answer, and the list with them.
    var edits: PendingEdits

    init(body: JSONValue, hasFeatures: Bool, within bounds: MessageBounds = MessageBounds()) {
        flaw = ViewFlaw(of: body, within: bounds)
        self.hasFeatures = hasFeatures
        var body = body.finite
        // `attach` has no rows: they are reported by `geometry`.
        rowsInSight = body["geometry"]?["visible"]
        if var geometry = body["geometry"], rowsInSight != nil {
            geometry["visible"] = nil
            body["geometry"] = geometry
        }
        self.body = body
        edits = PendingEdits(isReversed: body["reversed"]?.bool ?? false)
        replica = Self.replica(of: body, hasFeatures: hasFeatures)
        let offset =
            body["offset"]?.number ?? replica?.engine.physicalOffset ?? 0
        remote.offset = Motion(at: offset)
        local.offset = Motion(at: offset)
        if let replica { Self.addEdges(of: replica, to: &local) }
        if let replica { Self.addEdges(of: replica, to: &remote) }
        if let flaw { setRefusal(flaw.code.rawValue, text: flaw.text) }
    }

    /// The engine of the view. If the daemon will refuse the options of the view, it has those of
    /// the profile.
    private static func replica(of body: JSONValue, hasFeatures: Bool) -> Replica? {
        if let replica = Replica(body: body, hasFeatures: hasFeatures) { return replica }
        var body = body
        for edge in Edge.allCases { body[edge.rawValue] = nil }
        return Replica(body: body, hasFeatures: hasFeatures)
    }

    var name: String { body["view"]?.string ?? "" }
    /// What the view shows: the values of the daemon or of the engine, and the list with the edits.
    var shown: ViewState {
        var state = local.isLocal ? local : remote
        if let items = edits.items { state.items = items }
        if hidesRows { state.rows?.resize(to: 0) }
        state.pendingEdits = edits.edits
        state.acceptedEdits = edits.accepted
        return state
    }
    var isLocal: Bool { local.isLocal }
    /// Whether the daemon has refused to attach the view. Until it is attached again, nothing is
    /// sent about it.
    var isRefused: Bool { local.refusal != nil }
    var nextDeadline: Double? { replica?.nextDeadline?.milliseconds }

    /// The body of the view in the next `hello`. Its offset is the one that the daemon knows: the
    /// messages after `hello` move the list from there, as they have moved the replica.
    ///
    /// `resumes`: whether the client wants to resume its session. If the daemon moves the list, the
    /// session then knows the offset better than the client, which may have lost an answer.
    func description(resumes: Bool) -> JSONValue {
        var body = body
        body["offset"] = resumes && pans ? nil : .number(remote.offset.target)
        return body
    }

    /// The samples that report where the list rests, if the daemon does not know this. A touch is
    /// among them, because it also ends what the daemon still does with the list.
    var rest: [JSONValue] {
        guard pans, local.offset.target != remote.offset.target else { return [] }
        return ["began", "cancelled", "idle"].map { phase in
            .object([
                .init("type", .string("scroll")), .init("view", .string(name)),
                .init("offset", .number(local.offset.target)), .init("phase", .string(phase)),
            ])
        }
    }

    private static func addEdges(of replica: Replica, to state: inout ViewState) {
        for role in EdgeRole.allCases {
            guard let edge = replica.engine.edge(role) else { continue }
            var shown = ShownEdge(role: role)
            shown.state = edge.state ?? .idle
            state.edges[replica.layout.edge(of: role)] = shown
            state.insets[replica.layout.edge(of: role)] = Motion(at: 0)
        }
    }

    // MARK: The client's messages

    /// Records a message of the host, whose number is `seq`. Returns what the replica makes of it.
    mutating func record(_ message: JSONValue, seq: UInt64, at now: Double) -> Reaction {
        if !isRefused { lastSeq = seq }
        recordMovement(message, seq: seq, at: now)
        mergeGeometry(message)
        if let rows = message["visible"] { rowsInSight = rows }
        if message["type"]?.string == "configure", let paging = message["paging"] {
            remote.configure(paging)
        }
        let before = states
        let effects = replica?.handle(message, at: Instant(milliseconds: now)) ?? []
        let isRequest = ["refresh", "loadMore", "retry"].contains(message["type"]?.string)
        var reaction = apply(effects, isRequest: isRequest, at: now)
        reaction.events += failLoads(at: now)
        reaction.changesState = states != before
        return reaction
    }

    /// What follows from an event at the replica.
    struct Reaction: Hashable, Sendable {
        var events: [ClientEvent] = []
        /// Whether the state of an edge has changed.
        var changesState = false
    }

    private var states: [EdgeState?] {
        EdgeRole.allCases.map { replica?.engine.edge($0)?.state }
    }

    private mutating func recordMovement(_ message: JSONValue, seq: UInt64, at now: Double) {
        let type = message["type"]?.string
        if type == "geometry", let offset = message["offset"]?.number {
            // With an anchor, the platform has moved the list: the daemon's movements continue.
            if message["anchor"] == nil { movementSeq = seq }
            setOffset(offset)
        }
        guard type == "scroll" || type == "pan", let phase = message["phase"]?.string else {
            return
        }
        pans = type == "pan"
        let isWheel = phase == "decelerating" && message["cause"]?.string == "wheel"
        if !isMoving || phase == "began" || isWheel { movementSeq = seq }
        isMoving = phase != "idle" && !(type == "pan" && (phase == "ended" || phase == "cancelled"))
        if type == "scroll" { message["offset"]?.number.map { setOffset($0) } }
        switch phase {
        case "began", "dragging":
            touchedAt = now
            touch = message
            touch?["phase"] = .string("dragging")
        case "ended", "cancelled", "idle": endTouch()
        case "decelerating" where (message["cause"]?.string ?? "finger") == "finger": endTouch()
        default: break
        }
    }

    private mutating func endTouch() {
        touchedAt = nil
        touch = nil
    }

    private mutating func setOffset(_ offset: Double) {
        remote.offset = Motion(at: offset)
        local.offset = Motion(at: offset)
    }

    /// Lets the replica handle the time.
    mutating func advance(to now: Double) -> Reaction {
        guard let due = nextDeadline, due <= now, var replica else { return Reaction() }
        let effects = replica.handle(.timePassed, at: Instant(milliseconds: now))
        self.replica = replica
        var reaction = apply(effects, isRequest: false, at: now)
        reaction.events += failLoads(at: now)
        return reaction
    }

    /// Applies effects of the replica. They are shown only without a session.
    mutating func apply(
        _ effects: [Effect], isRequest: Bool, at now: Double
    ) -> Reaction {
        var reaction = Reaction()
        guard let replica else { return reaction }
        for effect in effects {
            switch effect {
            case .startLoad(let order) where !isRequest && !isRefused: recordIntent(order)
            case .endLoad(_, let kind, _): intents[kind] = nil
            case _ where !local.isLocal: break
            case .play(let haptic):
                hapticSeq = lastSeq
                reaction.events.append(.haptic(haptic, view: name))
            case .announce(let cue): reaction.events.append(.announce(cue, view: name))
            default: local.apply(effect, layout: replica.layout, at: now)
            }
        }
        return reaction
    }
}

// MARK: The daemon's messages
extension ViewMachine {
    /// Begins a fresh session: everything but the items is dropped.
    mutating func begin() {
        var fresh = ViewState()
        fresh.items = remote.items
        fresh.rows = remote.rows
        fresh.sectionKey = remote.sectionKey
        fresh.offset = remote.offset
        remote = fresh
    }

    /// Begins a session that is not the one before: also the replica begins anew.
    mutating func beginAnew() {
        replica = Self.replica(of: description(resumes: false), hasFeatures: hasFeatures)
        intents = [:]
        begin()
    }

    /// Ends a load that the app itself has performed.
    mutating func endLoad(_ load: String) {
        remote.end(load)
        local.end(load)
    }

    /// The content of the view is removed, because the view has a new query.
    mutating func clearItems() {
        remote.items = []
        local.items = []
        hidesRows = true
        showEdits()
    }

    /// The query for which the content was removed is not made: the view has its list again.
    mutating func restoreItems() {
        hidesRows = false
        guard remote.rows == nil else { return }
        remote.items = patcher.items
        local.items = patcher.items
        showEdits()
    }

    /// Handles a message of the daemon about the view. `isBack`: whether the session was resumed on
    /// this connection. Returns the events for the app.
    mutating func receive(
        _ message: JSONValue, isBack: Bool, at now: Double
    ) -> [ClientEvent] {
        let events: [ClientEvent]
        answerIntent(by: message)
        switch message["type"]?.string {
        case "attached":
            attach(message, isBack: isBack, at: now)
            showEdits()
            events = []
        case "update": events = update(message, at: now)
        case "items":
            events = receiveItems(message, at: now)
            showEdits()
        case "edited":
            events = receiveAnswer(message)
            showEdits()
        case "load", "loading":
            events = remote.applyLoad(message, view: name)
            // The effects are not shown: the values of the daemon follow at the end of the frame.
            observe(message, at: now)
        default: events = []
        }
        local.copyContent(of: remote)
        return events
    }

    private mutating func attach(_ message: JSONValue, isBack: Bool, at now: Double) {
        if !isBack {
            begin()
            let ack = message["ack"]?.number ?? 0
            if Double(movementSeq) <= ack || ack == 0 { movementSeq = 0 }
        }
        generation = message["generation"]?.number
        unanswered = nil
        patcher.attach(itemKey: message["itemKey"]?.string, keepsList: isBack)
        edits.attach(message)
        reportedRows = nil
        remote.attach(message)
        remote.applyInset(message["inset"], at: now, blend: nil)
        replica?.configure(by: message, at: Instant(milliseconds: now))
        if let replica {
            for role in EdgeRole.allCases where replica.engine.edge(role) == nil {
                local.edges[replica.layout.edge(of: role)] = nil
            }
        }
    }

    private mutating func update(_ message: JSONValue, at now: Double) -> [ClientEvent] {
        remote.applyEdges(message)
        remote.applyInset(message["inset"], at: now, blend: nil)
        if message["list"]?["count"]?.number == 0 { patcher.clear() }
        let ack = message["ack"]?.number ?? 0
        if let offset = message["offset"], ack >= Double(movementSeq) {
            remote.applyOffset(offset, at: now)
        }
        var events = remote.applyValues(message, view: name)
        // The daemon handles the messages of a gesture whose cues were played already.
        if local.isLocal || hapticSeq.map({ ack <= Double($0) }) ?? false {
            events.removeAll { wasPlayed($0) }
        } else {
            announced = []
        }
        if !local.isLocal, ack >= Double(lastSeq) {
            replica?.reconcile(with: remote, at: Instant(milliseconds: now))
        }
        return events
    }

    /// Shows the values of the replica from now on, because the connection is lost. `ack`: the
    /// number of the last message that the daemon has handled.
    mutating func takeOver(ack: UInt64, at now: Double) {
        guard !local.isLocal else { return }
        keepUnconfirmedIntents(ack: ack)
        let instant = Instant(milliseconds: now)
        if ack >= lastSeq { replica?.reconcile(with: remote, at: instant) }
        local = remote
        local.isLocal = true
        guard let replica, ack < lastSeq else { return }
        // The answers to the last messages are lost.
        for role in EdgeRole.allCases {
            guard let edge = replica.engine.edge(role) else { continue }
            let effect = Effect.showEdge(
                role, edge.state ?? .idle, progress: edge.progress ?? 0, cause: edge.cause,
                result: edge.result)
            local.apply(effect, layout: replica.layout, at: now)
        }
        let timeline = Timeline(start: instant, duration: Self.blendMs, curve: .easeOut)
        local.apply(
            .setInset(
                InsetCommand(
                    refresh: replica.engine.insets.sentStart,
                    loadMore: replica.engine.insets.sentEnd, timeline: timeline)),
            layout: replica.layout, at: now)
        if replica.engine.physicalOffset != local.offset.target,
            touchedAt == nil || touch?["translation"] != nil
        {
            local.apply(
                .moveContent(
                    OffsetCommand(target: replica.engine.physicalOffset, timeline: timeline)),
                layout: replica.layout, at: now)
        }
    }

    /// Shows the values of the daemon from now on. They replace those of the replica without a
    /// jump.
    mutating func adopt(at now: Double) {
        guard local.isLocal, remote.isAttached else { return }
        remote.isLocal = false
        remote.continueValues(of: local, at: now, blend: Self.blendMs)
        local.isLocal = false
        replica?.reconcile(with: remote, at: Instant(milliseconds: now))
    }

    /// Repeats the sample of a finger that rests.
    mutating func repeatTouch(at now: Double) -> JSONValue? {
        touchedAt = now
        return touch
    }
}
