import RefreshBroker
import RefreshProtocol

@testable import RefreshCluster

/// Bus messages of every type.
enum MessageSamples {
    static let node = NodeID(bits: 0xA)

    static let request = LoadRequest(
        feed: "news", kind: .more, trigger: .reachAtEnd, page: 3, offset: 40, size: 20,
        cursor: "a\"b\u{1}\n",
        parameters: [
            LoadParameter(name: "big", value: .integer(.min)),
            LoadParameter(name: "flag", value: .boolean(true)),
            LoadParameter(name: "ratio", value: .number(-1.5e-300)),
            LoadParameter(name: "text", value: .text("e\u{301} 𝄞")),
        ],
        headers: [
            HeaderField(name: "accept-language", value: "de, en"),
            HeaderField(name: "x-empty", value: ""),
        ], subject: "anna")

    private static var bare: Page { Page(items: Array("[]".utf8), count: 0) }

    private static var full: Page {
        Page(
            items: Array("[{\"id\":1,\n\"t\":\"é\"}, [2], null]".utf8), count: 3, more: false,
            cursor: "next", total: 77)
    }

    private static let bareSession = ListedSession(
        name: "a", loop: 0, state: "silent", ageMs: 0, views: 0)

    private static let fullSession = ListedSession(
        name: "b\"\u{1}", loop: 65_535, state: "detached", ageMs: 86_400_000, views: 3,
        subject: "ännä", peer: "2001:db8::1")

    private static var counts: NodeCounts {
        var counts = NodeCounts()
        counts.sessions = [CountKey(bits: 0): 1, CountKey(bits: .max): 1_000_000]
        counts.connections = [CountKey(bits: 0xC04A_0B2D_13A0_9C1D): 240]
        counts.handshakes = [CountKey(bits: 7): 31]
        return counts
    }

    static let events: [OwnerEvent] = [
        .waiting, .progressed(0), .progressed(0.25), .progressed(1),
        .retrying(
            attempt: 2, afterMs: 1500,
            LoadFailure(.backendBusy, "\"slow\"\n", retryAfterMs: 86_400_000)),
        .retrying(attempt: 1, afterMs: 0, LoadFailure(.backendFailed, "")),
        .page(bare, RemainingLifetime(freshMs: 0, coolDownMs: 0)),
        .page(full, RemainingLifetime(freshMs: 1000, coolDownMs: 20, ageMs: 3)),
        .failed(LoadFailure(.backendTimedOut, "The backend is slow.", retryAfterMs: 0)),
        .refused(.unknownFeed), .refused(.stopping), .refused(.tooLarge), .refused(.busy),
    ]

    /// A change that the backend may have made earlier.
    private static var repeated: FeedChange {
        var change = FeedChange("mail")
        change.isRepeated = true
        return change
    }

    static let contents: [BusMessage.Content] =
        [
            .state(NodeState(name: "web-1", version: "1.2.3")),
            .state(
                NodeState(
                    name: "näme \"x\"", version: "2.0.0-rc.1", sessions: 12_345,
                    changes: ["news": 1, "mail": 9_007_199_254_740_991], workers: ["a", "b"])),
            .leave,
            .changed(FeedChange("news"), number: 1),
            .changed(FeedChange("mail", count: NewerCount(12)), number: 4_000_000_000),
            .changed(FeedChange("mail", count: .none), number: 2),
            .changed(repeated, number: 3),
            .counts(NodeCounts(), number: 1),
            .counts(counts, number: 9_007_199_254_740_991),
            .load(
                AskedLoad(
                    .page(1), idempotencyKey: "s.1.2-ff", keptPages: .none, deadlineMs: 1),
                number: 1),
            .load(
                AskedLoad(
                    request, idempotencyKey: "k", keptPages: .fresh, deadlineMs: 86_400_000,
                    seen: [
                        SeenChange(node: node, number: 1),
                        SeenChange(node: NodeID(bits: .max), number: 9_007_199_254_740_991),
                    ]), number: 9_007_199_254_740_991),
            .cancel(number: 77),
            .state(NodeState(name: "web-2", version: "1.2.3", loads: 12)),
            .list(after: nil, number: 1), .list(after: "c04a\"é", number: 2),
            .listed(SessionPage(), number: 1),
            .watch(EventSelection(), number: 1),
            .watch(EventSelection(session: "c0", feed: "näws"), number: 2), .unwatch(number: 2),
            .watched([], number: 1),
            .watched([Array("{}".utf8), Array(#"{"event":"lost","count":2}"#.utf8)], number: 7),
            .listed(SessionPage([bareSession, fullSession], hasMore: true), number: 2),
        ] + events.map { .event($0, number: 5) }

    static var messages: [BusMessage] { contents.map { BusMessage(from: node, $0) } }
}
