import RefreshBroker
import RefreshIndicator
import RefreshProtocol
import Testing

@testable import RefreshEngine
@testable import RefreshServer
@testable import RefreshSession

/// Saving a session must not omit any of its members. Each member is in `table`, and must be
/// restored with its value if the table says so.
@Suite("The saved image of a session")
struct SavedSessionTests {
    /// The encodings of a session that contain a member: snapshot and checkpoint (of a journal),
    /// only the checkpoint, or neither.
    private enum Coding { case both, checkpoint, none }

    /// Every stored member of a session, of its parts and of its views. A new member fails the
    /// tests until it is added here.
    private static let table: [String: Coding] = [
        "name": .both, "headers": .both, "lastGeneration": .both,
        "inbound.ack": .both, "renderMode.settings": .both,
        "views.id": .both, "views.profile": .both, "views.engine": .both,
        "views.feed.name": .both, "views.feed.parameters": .both,
        "views.feed.parameterBytes": .both, "views.feed.shownItems": .both,
        "views.feed.delivered": .both,

        "principal.subject": .checkpoint, "principal.permittedFeeds": .checkpoint,
        "principal.expires": .checkpoint,
        "phase.stage": .checkpoint, "phase.hasOpened": .checkpoint,
        "phase.timeoutCheckDue": .checkpoint,
        "credentials.previousResumeToken": .checkpoint,
        "credentials.previousResumeTokenEnds": .checkpoint,
        "credentials.previousResumeTokenWelcomes": .checkpoint, "credentials.history": .checkpoint,
        "credentials.welcomedAt": .checkpoint,
        "snapshotPolicy.isEnabled": .checkpoint, "snapshotPolicy.wasEnabled": .checkpoint,
        "snapshotPolicy.grantedAt": .checkpoint,
        "snapshotPolicy.due": .checkpoint, "snapshotPolicy.budget": .checkpoint,
        "outbox.messages": .checkpoint, "outbox.loneUpdate": .checkpoint,
        "outbox.queuedBytes": .checkpoint, "outbox.halfSentBytes": .checkpoint,
        "outbox.waitsSince": .checkpoint, "outbox.hasPausedReading": .checkpoint,
        "outbox.hasDropped": .checkpoint, "outbox.holdsSnapshot": .checkpoint,
        "outbox.firstItemsDue": .checkpoint, "outbox.heldCount": .checkpoint,
        "inbound.rateLimit": .checkpoint, "inbound.faultBudget": .checkpoint,
        "inbound.lastReceivedAt": .checkpoint, "inbound.wantsDiagnostics": .checkpoint,
        "inbound.diagnosticBudget": .checkpoint, "inbound.features": .checkpoint,
        "inbound.movements": .checkpoint,
        "delayedRefreshes": .checkpoint,
        "renderMode.budget": .checkpoint, "renderMode.heldUntil": .checkpoint,
        "views.feed.headers": .checkpoint,
        "views.update": .checkpoint,
        "views.sentRefresh": .checkpoint, "views.sentLoadMore": .checkpoint,
        "views.refresh": .checkpoint, "views.loadMore": .checkpoint,
        "views.carriesWholeState": .checkpoint, "views.isQueued": .checkpoint,

        // The place of the session in the process.
        "key": .none, "channel": .none, "services": .none, "openedAt": .none,
        // The session's watchers, and values for metrics.
        "observer": .none, "loadStartTimes": .none, "renderMode.playedBytes": .none,
        // No checkpoint is made while these members have a value.
        "effects": .none, "phase.greeting": .none, "phase.isEndedByClient": .none,
        // Secrets, and values that only other connections of this process use.
        "credentials.token": .none, "credentials.connectedAt": .none,
        "principal.expiresUnixSeconds": .none,
        "views.feed.sentList": .checkpoint, "views.feed.live": .checkpoint,
        "views.feed.edits": .checkpoint, "views.feed.verification": .checkpoint,
        // These members are derived from others.
        "renderMode.path": .none, "views.presentation": .none,
    ]

    private static func members(_ coding: Coding...) -> [String] {
        table.filter { coding.contains($0.value) }.keys.sorted()
    }

    // MARK: Reflection

    /// Returns the members of a session by their paths, each as text.
    private static func values(of conversation: Conversation) -> [String: String] {
        var found: [String: String] = [:]
        func addMembers(of value: Any, _ prefix: String) {
            for case (let label?, let member) in Mirror(reflecting: value).children {
                let path = prefix + label
                switch member {
                case is Principal, is ConnectionPhase, is ResumeCredentials, is SnapshotPolicy,
                    is SessionOutbox, is InboundGuard, is RenderMode:
                    addMembers(of: member, path + ".")
                case let feed as FeedUse:
                    addMembers(of: feed, path + ".")
                    found[path + ".list"] = nil
                    addMembers(of: feed.list.value, path + ".")
                case let box as VerificationBox: found[path] = String(reflecting: box.value)
                default: found[path] = String(reflecting: member)
                }
            }
        }
        addMembers(of: conversation, "")
        found["views"] = nil
        for view in conversation.views { addMembers(of: view, "views.") }
        return found
    }

    // MARK: Sessions

    private static let feeds = [
        FeedDescription(name: "songs", parameters: ["q"]),
        FeedDescription(name: "mails", parameters: ["q"], forward: ["x-own"]),
    ]
    private static let later = Instant(milliseconds: 70_000)
    private static let header = HeaderField(name: "x-own", value: "1")

    private static func engine(_ generation: UInt32) -> Engine {
        let options = ViewOptions(
            profile: .default, layout: ViewLayout(), paging: Profile.paging,
            isClientBacked: false, limits: Limits())
        return Engine(
            generation: generation, options: options, geometry: GeometryChange(), offset: -0.5)
    }

    /// Returns a newly opened session with one view.
    private static func usual() -> Conversation {
        var conversation = ConversationFixture(feeds: feeds).conversation
        conversation.views = [
            ViewSlot(
                id: "usual", profile: .default,
                feed: FeedUse(name: "songs", parameters: [], headers: []), engine: engine(1))
        ]
        return conversation
    }

    /// Returns a session in which each restorable member has an unusual value.
    private static func unusual() -> Conversation {
        var session = usual()
        session.name = "unusual"
        session.headers = [header]
        session.lastGeneration = 7
        session.principal.subject = "anna"
        session.principal.permittedFeeds = .only(["mails"])
        session.principal.expires = later
        session.phase.stage = .open
        session.phase.hasOpened = true
        session.phase.timeoutCheckDue = later
        // The token is masked as in a journal.
        session.credentials.previousResumeToken = .masked
        session.credentials.previousResumeTokenEnds = later
        session.credentials.previousResumeTokenWelcomes = 3
        session.credentials.history = ResumeHistory([ResumeHistory.Step("line", 4)])
        session.credentials.welcomedAt = later
        session.snapshotPolicy.isEnabled = true
        session.snapshotPolicy.grantedAt = later
        session.snapshotPolicy.due = later
        session.snapshotPolicy.budget.recordSeal(at: later)
        session.outbox.append(.text([1, 2, 3]))
        session.outbox.appendSnapshot()
        session.outbox.loneUpdate = 7
        session.outbox.halfSentBytes = 5
        session.outbox.waitsSince = later
        session.outbox.firstItemsDue = later
        session.outbox.heldCount = 3
        session.outbox.hasPausedReading = true
        session.outbox.hasDropped = true
        _ = session.inbound.count(bytes: 11, at: later)
        _ = session.inbound.faultBudget.spend(at: later)
        session.inbound.lastReceivedAt = later
        session.inbound.ack = 9
        session.inbound.wantsDiagnostics = true
        session.inbound.features = [.all]
        session.inbound.diagnosticBudget.recordDropped(2)
        session.inbound.movements = [MovementCheck(generation: 7)]
        session.renderMode.settings = FrameSettings(mode: .local)
        session.renderMode.budget.charge(bytes: 99, perSecond: 10, at: later)
        session.renderMode.heldUntil = later
        session.delayedRefreshes.insert(7, until: later)
        session.views = [ViewSlot(unusualView())]
        return session
    }

    private static func unusualView() -> SavedView {
        var update = ViewUpdate()
        update.setNewer(true)
        var view = SavedView(
            id: "unusual", profile: .mrefresh,
            feed: SavedView.Feed(
                name: "mails", parameters: [LoadParameter(name: "q", value: .text("x"))],
                delivered: 8, shownItems: [1, .max], itemHash: SipHash(key: 1, 2)),
            engine: engine(7))
        view.delivery = ViewSlot.Delivery(
            headers: [header], update: update, sentRefresh: 1, sentLoadMore: 2,
            refresh: LastSentEdge(state: .refreshing), loadMore: LastSentEdge(state: .loading),
            carriesWholeState: true, isQueued: true, sentList: sentList(), live: liveItems(),
            edits: edits(), verification: verification())
        return view
    }

    private static func sentList() -> SentList {
        var sent = SentList(itemKey: "/id")
        _ = sent.record(
            HashedItems(keys: [1, .max], contents: [2, 3]), kept: [1, .max], .replace, most: 10)
        return sent
    }

    private static func liveItems() -> LiveItems {
        let hash = SipHash(key: 1, 2)
        let insert = ItemOperation(
            .insert, ItemOperation.Key([0x37], hashedBy: hash), at: .start,
            item: Array(#"{"id":7}"#.utf8), hashedBy: hash)
        var live = LiveItems()
        live.held = [HeldItem(operation: insert, next: 1)]
        return live
    }

    private static func edits() -> EditLedger {
        var edits = EditLedger()
        _ = edits.receive("6f0c8a52")
        edits.perform("6f0c8a52")
        return edits
    }

    private static func verification() -> ListVerification {
        var verification = ListVerification(rebuiltAt: later)
        verification.recordOperations([.moves, .resizes], at: later)
        return verification
    }

    // MARK: Tests

    @Test("Every member of a session is in the table")
    func complete() {
        #expect(Self.values(of: Self.usual()).keys.sorted() == Self.table.keys.sorted())
    }

    @Test("Every member that is restored has an unusual value in these tests")
    func distinct() {
        let (usual, unusual) = (Self.values(of: Self.usual()), Self.values(of: Self.unusual()))
        for path in Self.members(.both, .checkpoint) {
            #expect(usual[path] != unusual[path], "\(path)")
        }
    }

    @Test("A checkpoint restores every member that it should restore")
    func checkpoint() throws {
        let session = Self.unusual()
        let checkpoint = try #require(session.checkpoint)
        let read = try #require(JournalCheckpoint(json: checkpoint.json))
        #expect(read == checkpoint)
        var restored = ConversationFixture(feeds: Self.feeds).conversation
        let isRestored = restored.restore(from: read)
        #expect(isRestored)
        let (before, after) = (Self.values(of: session), Self.values(of: restored))
        for path in Self.members(.both, .checkpoint) {
            #expect(after[path] == before[path], "\(path)")
        }
        #expect(restored.checkpoint == checkpoint)
    }

    @Test("A snapshot restores every member that it should restore")
    func snapshot() throws {
        let session = Self.unusual()
        let snapshot = session.snapshot(tokenHash: [1])
        let read = try #require(SessionSnapshot(json: snapshot.json))
        #expect(read == snapshot)
        var restored = ConversationFixture(feeds: Self.feeds).conversation
        try restored.restore(read, at: Self.later)
        let (before, after) = (Self.values(of: session), Self.values(of: restored))
        for path in Self.members(.both) {
            #expect(after[path] == before[path], "\(path)")
        }
    }

    @Test("The saved states of a view's presentation have every member except derived ones")
    func drawn() throws {
        func labels(_ value: Any) -> Set<String> {
            Set(Mirror(reflecting: value).children.compactMap(\.label))
        }
        let fixture = ConversationFixture()
        fixture.send(#"[{"type":"hello","protocol":1,"frames":"stream"}]"#, at: .origin)
        fixture.send(
            #"{"type":"attach","seq":1,"view":"list","profile":"default"}"#, at: .origin)
        let presentation = try #require(fixture.conversation.views.first?.presentation)
        #expect(
            labels(presentation).subtracting(["playsIndicators"])
                == labels(presentation.savedState))
        let indicators = presentation.indicators
        #expect(labels(indicators).subtracting(["settings"]) == labels(indicators.savedState))
        let player = IndicatorPlayer(
            Choreography(BuiltInIndicator.spinner.programme), role: .refresh, motion: .full,
            state: .idle, at: 0)
        #expect(
            labels(player).subtracting(["choreography", "settings"]) == labels(player.savedState))
    }

    @Test("A checkpoint contains no token")
    func secrets() throws {
        let token = ResumeToken(0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210)
        var session = Self.unusual()
        session.credentials.token = token
        session.credentials.previousResumeToken = ResumeToken(5, 6)
        session.outbox.messages = [
            .passing(Array(#"{"type":"welcome","token":"\#(token.text)"}"#.utf8))
        ]
        let checkpoint = try #require(session.checkpoint)
        #expect(checkpoint.credentials.token == nil)
        #expect(checkpoint.credentials.previousResumeToken == .masked)
        guard case .passing(let bytes)? = checkpoint.outbox.messages.first else {
            Issue.record("the first message is not `passing`")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self).contains(ResumeToken.masked.text))
        #expect(!String(decoding: bytes, as: UTF8.self).contains(token.text))
    }
}
