import RefreshBroker
import RefreshEngine
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Tests that the messages after a resume contain the complete state. Source: docs/protocol.md,
/// "Coming back".
@Suite("The state that a resumed session sends")
struct ResumedStateTests {
    /// The steps that lead to a state, and the messages that describe this state.
    struct Way: Sendable, CustomTestStringConvertible {
        var state: String
        var edge = "top"
        var feed: String? = "songs"
        var profile = "default"
        /// Whether a first page is loaded before the steps in `sent`.
        var needsList = false
        var sent: [String] = []
        var progress: Double?
        var cause: String?
        /// The result of the load. Nil if the load is not answered.
        var outcome: LoadOutcome?
        var waitMs = 0.0
        /// The inset at `edge`, in points.
        var inset = 0.0
        var offset: Double?

        var testDescription: String { "\(edge) \(state)" }
    }

    private static func scroll(_ offset: Double, _ phase: String) -> String {
        #""type":"scroll","view":"list","offset":\#(offset),"phase":"\#(phase)""#
    }

    private static let refresh = #""type":"refresh","view":"list","cause":"key""#
    private static let more = #""type":"loadMore","view":"list","cause":"key""#
    private static let failure = LoadOutcome.failed(LoadFailure(.backendFailed, "It failed."))

    static let ways: [Way] = [
        Way(
            state: "disabled",
            sent: [#""type":"enable","view":"list","edge":"top","enabled":false"#]),
        Way(state: "idle"),
        Way(
            state: "pulling", sent: [scroll(0, "began"), scroll(-32, "dragging")], progress: 0.5
        ),
        Way(
            state: "eligible", sent: [scroll(0, "began"), scroll(-64, "dragging")], progress: 1),
        Way(state: "triggered", feed: nil, sent: [refresh], cause: "key"),
        Way(state: "refreshing", sent: [refresh], cause: "key", inset: 64, offset: -64),
        Way(
            state: "succeeded", sent: [refresh], outcome: .page(HostFixture.page(3)),
            waitMs: 310,
            inset: 64, offset: -64),
        Way(
            state: "failed", sent: [refresh], outcome: failure, waitMs: 310, inset: 64,
            offset: -64),
        Way(
            state: "finishing", sent: [refresh], outcome: .page(HostFixture.page(3)),
            waitMs: 800,
            offset: 0),
        Way(
            state: "disabled", edge: "bottom",
            sent: [#""type":"enable","view":"list","edge":"bottom","enabled":false"#]),
        Way(state: "idle", edge: "bottom"),
        Way(
            state: "approaching", edge: "bottom", profile: "uikit",
            sent: [scroll(3000, "began"), scroll(3170, "dragging")], progress: 0.5),
        Way(
            state: "loading", edge: "bottom", needsList: true, sent: [more], cause: "key",
            inset: 64),
        Way(
            state: "failed", edge: "bottom", needsList: true, sent: [more], outcome: failure),
        Way(
            state: "noMore", edge: "bottom", needsList: true, sent: [more],
            outcome: .page(HostFixture.page(3, more: false))),
    ]

    @Test("A resumed session sends each state of both edges, on any loop", arguments: ways, [0, 1])
    func states(_ way: Way, _ loop: Int) throws {
        let fixture = HostFixture()
        let first = fixture.connect()
        var welcome = first.open(feed: way.feed, profile: way.profile)
        if way.needsList {
            first.feed(#"{"type":"refresh","view":"list","seq":1}"#)
            fixture.answerLast(10)
            fixture.pass(milliseconds: 5000)
        }
        for (index, text) in way.sent.enumerated() {
            first.feed(#"{"seq":\#(index + 2),\#(text)}"#)
            fixture.pass(milliseconds: 10)
        }
        if let outcome = way.outcome {
            fixture.report(.ended(outcome), of: try #require(fixture.dispatcher.started.last?.0))
        }
        fixture.pass(milliseconds: way.waitMs)
        let received = first.receive().all("items").compactMap { $0["load"]?.string }
        first.hangUp()
        // The session is resumed twice, because sending a state must not change this state.
        for _ in 0..<2 {
            let client = fixture.connect(to: loop)
            let messages = client.resume(welcome, received: received)
            try check(messages, way)
            welcome = messages[0]
            client.hangUp()
        }
    }

    private func check(_ messages: [JSONValue], _ way: Way) throws {
        let attached = try #require(messages.first("attached"))
        let update = try #require(messages.first("update"))
        #expect(attached[way.edge]?["state"]?.string == way.state)
        #expect(update[way.edge]?["state"]?.string == way.state)
        #expect(update[way.edge]?["progress"]?.number == way.progress)
        #expect(update[way.edge]?["cause"]?.string == way.cause)
        #expect(update["inset"]?[way.edge]?.number == way.inset)
        if let offset = way.offset { #expect(update["offset"]?["to"]?.number == offset) }
        let runs = ["triggered", "refreshing", "loading"].contains(way.state)
        let loads = messages.filter {
            $0["phase"]?.string == "began" || $0["type"]?.string == "load"
        }
        #expect(loads.count == (runs ? 1 : 0))
    }

    @Test("A resumed session sends a running offset command again, with its original start")
    func offset() throws {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open(profile: "default")
        let shown = first.send(#"{"type":"refresh","view":"list","seq":2}"#)
        let command = try #require(shown.first("update")?["offset"])
        #expect((command["duration"]?.number ?? 0) > 0)
        first.hangUp()
        fixture.pass(milliseconds: 100)
        let messages = fixture.connect(to: 1).resume(welcome)
        #expect(messages.first("update")?["offset"] == command)
    }

    @Test("A resumed session sends `floor`, `newer`, the list's state and `lastUpdated`")
    func rest() throws {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open(profile: "default")
        first.send(#"{"type":"configure","view":"list","seq":2,"top":{"floor":{"length":160}}}"#)
        first.send(#"{"type":"refresh","view":"list","seq":3}"#)
        fixture.answerLast()
        fixture.pass(milliseconds: 5000)
        fixture.directory.feedChanged(FeedChange("songs"))
        fixture.settle()
        first.send(#"{"type":"floor","view":"list","seq":4,"open":true}"#)
        fixture.pass(milliseconds: 5000)
        first.hangUp()
        let messages = fixture.connect(to: 1).resume(welcome, received: ["1.1"])
        let update = try #require(messages.first("update"))
        #expect(update["floor"]?["state"]?.string == "open")
        #expect(update["inset"]?["top"]?.number == 800)
        #expect(update["newer"]?.bool == true)
        #expect(update["list"]?["count"]?.number == 3 && update["list"]?["more"]?.bool == true)
        #expect(update["lastUpdated"]?.number == 1000)
    }

    @Test(
        "A resumed session uses the frame mode of the new `hello`",
        arguments: ["plain", "stream", "local"],
        ["plain", "stream", "local"])
    func frames(_ before: String, _ after: String) throws {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open(frames: before, profile: "default")
        first.send(#"{"type":"refresh","view":"list","seq":2}"#)
        first.hangUp()
        let second = fixture.connect(to: 1)
        let messages = second.resume(welcome, frames: after)
        let attached = try #require(messages.first("attached"))
        #expect((attached["law"] != nil) == (after != "plain"))
        #expect((attached["top"]?["programme"] != nil) == (after != "plain"))
        #expect((attached["top"]?["frame"] != nil) == (after == "stream"))
        let update = try #require(messages.first("update"))
        #expect((update["top"]?["indicator"] != nil) == (after == "plain"))
        fixture.pass(milliseconds: 200)
        #expect(second.receive().isEmpty == (after != "stream"))
    }

    @Test("The views in `hello` are resumed, attached or removed, and their new sizes apply")
    func views() throws {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open(views: ["list", "gone"])
        first.send(#"{"type":"refresh","view":"list","seq":2}"#)
        first.send(#"{"type":"refresh","view":"gone","seq":3}"#)
        first.hangUp()
        let views = [
            #"{"view":"list","profile":"nobody","feed":"songs","geometry":{"insets":{"top":40}},"offset":-100}"#,
            HostClient.view("new"), #"{"view":"bad","profile":"nobody"}"#,
        ]
        let second = fixture.connect(to: 1)
        let messages = second.resume(
            welcome, extra: #","views":[\#(views.joined(separator: ","))]"#)
        #expect(
            messages.types == ["welcome", "attached", "update", "loading", "attached", "error"])
        #expect(messages[1]["view"]?.string == "list" && messages[1]["generation"]?.number == 1)
        #expect(messages[4]["view"]?.string == "new" && messages[4]["generation"]?.number == 3)
        #expect(
            messages[5]["code"]?.string == "unknownProfile" && messages[5]["view"]?.string == "bad")
        #expect(fixture.dispatcher.cancelled.map(\.view) == ["gone"])
        #expect(fixture.total.views == 2)
        // The resting offset is now 40 points farther up, and a room of 60 points is open.
        fixture.answerLast(0)
        let engine = try #require(second.session.conversation.value.views.first?.engine)
        #expect(engine.physicalOffset == -100)
    }

    @Test("The headers of the new `hello` replace the earlier ones in later loads")
    func headers() {
        let fixture = HostFixture()
        let first = fixture.connect()
        let welcome = first.open(extra: #","headers":{"accept-language":"de","x":"1"}"#)
        first.hangUp()
        let second = fixture.connect(to: 1)
        _ = second.resume(welcome, extra: #","headers":{"accept-language":"fr"}"#)
        second.send(#"{"type":"refresh","view":"list","seq":2}"#)
        let headers = fixture.dispatcher.started.last?.1.headers
        #expect(headers == [HeaderField(name: "accept-language", value: "fr")])
        // The backend receives the unchanged name of the session.
        let key = fixture.dispatcher.wishes.last?.idempotencyKey
        #expect(key?.hasPrefix("\(second.session.name)-1.1-") == true)
        #expect(welcome["session"]?.string == second.session.name)
    }
}
