import RefreshBroker
import RefreshEngine
import RefreshIndicator
import RefreshProtocol

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// A line of every kind, with texts that are difficult to encode.
enum JournalSamples {
    /// Characters that could end a line, a string or an object, that are not allowed in JSON, or
    /// that editors tend to change.
    static let hardText =
        "{\"a\":\"\\u0000\"}\n\r\t\u{0}\u{1f}\u{7f}\u{2028}\u{feff}e\u{301}é𝄞\"}]\\"
    static let noUTF8: [UInt8] = [0x7B, 0xC3, 0x28, 0xFF, 0x00, 0x0A]

    static let header = JournalHeader(
        started: "2026-11-21T12:00:00.123Z", at: Instant(microseconds: 81_532_250),
        session: "5f0c2a9be1d07746",
        key: SessionKey(loop: .max, slot: .max, generation: .max), subject: hardText,
        token: ResumeToken(1, .max), seals: true,
        limits: {
            var limits = Limits()
            limits.frameBytesMax = 4096
            limits.heartbeatMs = 1001
            return limits
        }(),
        feeds: [
            FeedDescription(
                name: "songs",
                parameters: ["q", FeedParameter(hardText), FeedParameter("year", .integer)],
                forward: ["accept-language", "x-own"], style: .cursor, first: 0, size: 10),
            FeedDescription(name: hardText, sectionKey: JSONPointer("/a~1b/day")),
        ],
        indicators: [NamedProgramme("own", BuiltInIndicator.letters.programme)])

    /// The header of a recorder between a client and a server.
    private static let recordedHeader = JournalHeader(
        server: "unknown", started: "2026-11-21T12:00:00.123Z", at: Instant(microseconds: 0),
        session: "connection-2", key: SessionKey(loop: 0, slot: 0, generation: 2),
        limits: Limits(), feeds: [],
        recorder: JournalRecorder(
            program: "refresh-probe/0.1.0", url: "ws://127.0.0.1:80/?a=**", connection: 2))

    /// A page whose items have keys, except one.
    private static let keyed: Page = {
        var page = Page(items: Array(#"[{"id":1}, {}, {"id":"é"} ]"#.utf8), count: 3)
        page.itemKeys = JSONPointer("/id").flatMap {
            ItemKeys(of: page, at: $0, hashedBy: SipHash(key: 1, 2))
        }
        return page
    }()

    /// A page whose items can be compared with a list.
    private static let comparable: Page = {
        var page = Page(items: Array(#"[{"id":1}, {"id":"é"} ]"#.utf8), count: 2)
        page.itemKeys = JSONPointer("/id").flatMap {
            ItemKeys(of: page, at: $0, hashedBy: SipHash(key: 1, 2))
        }
        return page
    }()

    static let inputs: [SessionInput] =
        [
            .frame([]), .frame(Array(hardText.utf8)), .frame(noUTF8), .binary, .writable,
            .channel(isWritable: false), .channel(isWritable: true),
            .load(
                LoadID(generation: 1, number: .max), view: "list",
                .ended(
                    .page(
                        Page(
                            items: Array("[1,\n \"é\"]".utf8), count: 2, more: false,
                            cursor: hardText, total: 9_007_199_254_740_991)))),
            .load(LoadID(generation: 1, number: 2), view: "list", .ended(.page(keyed))),
            .load(LoadID(generation: 1, number: 3), view: "list", .ended(.page(comparable))),
            .load(LoadID(generation: 1, number: 2), view: "list", .progressed(0.25)),
            .load(
                LoadID(generation: 1, number: 2), view: "list",
                .retrying(
                    attempt: 2, afterMs: 0,
                    LoadFailure(.backendFailed, hardText, retryAfterMs: 7))),
            .load(LoadID(generation: 1, number: 3), view: "list", .lookUpEnded(nil)),
            .load(
                LoadID(generation: 1, number: 3), view: "list",
                .lookUpEnded(FoundPage(page: keyed, ageMs: 86_400_000, isFresh: false))),
            .load(
                LoadID(generation: 1, number: 3), view: "l\"\\é",
                .lookUpEnded(
                    FoundPage(page: Page(items: noUTF8, count: 0), ageMs: 0, isFresh: true))),
            .changed(feed: hardText),
            .changed(feed: "songs", refreshAt: Instant(microseconds: 1_234_567)),
            .changed(feed: "songs", count: NewerCount(3)),
            .load(
                LoadID(generation: 1, number: 2), view: "l\"\\é",
                .ended(.page(Page(items: noUTF8, count: 0)))),
            .load(
                LoadID(generation: 1, number: 2), view: "list",
                .ended(.failed(LoadFailure(.backendBusy, hardText, retryAfterMs: 1500)))),
            .load(
                LoadID(generation: 1, number: 2), view: "list",
                .ended(.failed(LoadFailure(.backendFailed, "")))),
            .load(LoadID(generation: 1, number: 2), view: "list", .ended(.page(seriesPage))),
            .load(LoadID(generation: 1, number: 2), view: "list", .ended(.cancelled)),
            .load(LoadID(generation: 1, number: 2), view: "list", .ended(.timedOut)),
            .known(.admitted(.anonymous)),
            .known(
                .admitted(
                    Identity(
                        subject: hardText, feeds: .only([hardText, ""]),
                        expires: Instant(microseconds: 1)))),
            .identified(.admitted(Identity(subject: "anna", feeds: .only([])))),
            .identified(.refused(.expired)), .known(.refused(.unknownToken)),
            .identified(.unavailable(.late)),
            .wake, .held(until: Instant(microseconds: 42)), .end(.draining),
            .draining(closesMs: 120), .lost, .refused(.wrongToken), .left,
            .closed,
            .sealed(nil), .sealed(SealedText(text: "v1.k.abc", expiresMs: 3_600_000)),
            .resumed(
                ResumeHandshake(
                    Hello(version: 1), text: Array(#"{"type":"hello","protocol":1}"#.utf8)),
                nil),
            .resumed(
                ResumeHandshake(
                    Hello(version: 1, client: "é"),
                    text: Array(#"{"type":"hello","protocol":1,"client":"é"}"#.utf8),
                    held: [Array("[]".utf8), noUTF8, Array(hardText.utf8)]),
                ResumeToken(.max, 1)),
            .rebuilt(snapshot),
        ] + checkpoints.map { .begun($0) }

    /// The answer to a refresh that loads several pages.
    private static let seriesPage: Page = {
        var page = Page(items: Array("[1,2,3]".utf8), count: 3, more: true)
        page.parts = Page.Parts(pages: 2, lastCount: 1, skipped: 4)
        return page
    }()

    /// The checkpoint of an open session with a view.
    private static var checkpoints: [JournalCheckpoint] {
        let fixture = HostFixture(loops: 1)
        _ = fixture.connect().open()
        return fixture.hosts[0].sessions.elements.compactMap { $0.conversation.value.checkpoint }
    }

    /// A snapshot with a moving view. The hashes of its items are larger than a double can
    /// represent exactly.
    private static let snapshot: SessionSnapshot = {
        let options = ViewOptions(
            profile: .default, layout: ViewLayout(), paging: Profile.paging,
            isClientBacked: false, limits: Limits())
        let engine = Engine(
            generation: 7, options: options, geometry: GeometryChange(), offset: -0.1)
        return SessionSnapshot(
            SavedSession(
                name: hardText, ack: 9_007_199_254_740_991,
                headers: [HeaderField(name: "x-own", value: hardText)], lastGeneration: .max,
                views: [
                    SavedView(
                        id: "l\"é", profile: .default,
                        feed: SavedView.Feed(
                            name: "songs", delivered: 3, shownItems: [.max, 1, .max - 1]),
                        engine: engine, pans: true)
                ]),
            tokenHash: [0, 255], subject: hardText)
    }()

    static let outputs: [JournalOutput] = [
        .frame(Array(hardText.utf8)), .frame(noUTF8), .wait, .identify,
        .close(code: 4100, reason: hardText), .resume(session: hardText),
        .start(
            LoadID(generation: 3, number: 4), view: "list",
            BrokerRequest(
                LoadRequest(
                    feed: hardText, kind: .more, trigger: .reachAtEnd, page: 2, offset: -5,
                    size: 50, cursor: hardText,
                    parameters: [
                        LoadParameter(name: "a", value: .integer(.min)),
                        LoadParameter(name: "b", value: .number(0.1)),
                        LoadParameter(name: "c", value: .boolean(true)),
                        LoadParameter(name: "q", value: .text(hardText)),
                        LoadParameter(name: "r", value: .text("")),
                    ], headers: [HeaderField(name: "x-own", value: hardText)],
                    subject: hardText), idempotencyKey: hardText), deadlineMs: 3_600_000),
        .start(
            LoadID(generation: 3, number: 4), view: "list",
            BrokerRequest(
                LoadRequest(feed: "f", kind: .refresh, page: 0, offset: 0, size: 1),
                idempotencyKey: "k", keptPages: .none), deadlineMs: 0),
        .start(
            LoadID(generation: 3, number: 5), view: "list",
            BrokerRequest(
                LoadRequest(feed: "f", kind: .refresh, page: 0, offset: 0, size: 1),
                idempotencyKey: "k", keptPages: .fresh), deadlineMs: 100),
        .start(
            LoadID(generation: 3, number: 6), view: "list",
            BrokerRequest(
                LoadRequest(feed: "f", kind: .refresh, page: 0, offset: 0, size: 1),
                idempotencyKey: "k", isLookUp: true), deadlineMs: 100),
        .start(
            LoadID(generation: 3, number: 7), view: "list",
            BrokerRequest(
                LoadRequest(feed: "f", kind: .refresh, page: 3, offset: 20, size: 10),
                idempotencyKey: "k", keptPages: .none,
                series: PageSeries(count: 4, skipped: 2, style: .offset)), deadlineMs: 100),
        .edit(
            view: 3, edit: "6f0c8a52", key: "edit-1", operation: Array(#"{"remove":"m2"}"#.utf8),
            deadlineMs: 100),
        .cancel(LoadID(generation: 3, number: 4), view: "list", because: .unwanted),
        .cancel(LoadID(generation: 3, number: 4), view: "list", because: .outOfTime),
    ]

    private static let edited: [SessionInput] = {
        let hash = SipHash(key: 1, 2)
        let item = EditedItem(
            ItemOperation.Key(Array("12".utf8), hashedBy: hash), Array(#"{"id":12}"#.utf8),
            hashedBy: hash)
        let outcomes: [EditOutcome] = [
            .confirmed, .replaced(item), .cancelled,
            .failed(LoadFailure(.backendFailed, "No.", retryAfterMs: 5)),
            .unknown(LoadFailure(.backendTimedOut, "No.")),
        ]
        return outcomes.map { .edited(view: 3, edit: "6f0c8a52", $0, nil) }
    }()

    static let lines: [JournalLine] =
        [.header(header), .header(recordedHeader)]
        + zip(0..., inputs + edited).map {
            .input(at: Instant(microseconds: 9_007_199_254_740_991 - Int64($0)), $1)
        }
        + outputs.map { .output($0) }
        + [
            .observed(at: Instant(microseconds: -5), .frame(noUTF8)),
            .observed(at: Instant(microseconds: 7), .close(code: 4_004, reason: hardText)),
        ] + [.end(inputs: 12, outputs: 0)]
}

extension JournalLine {
    /// The line as it is in a file, with its line end.
    var bytes: [UInt8] {
        var out = ByteBuffer()
        write(to: &out)
        return out.bytes
    }
}
