import RefreshBroker
import RefreshEngine
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// The messages after a resume: the complete state. Source: docs/protocol.md, "Coming back".
@Suite("The state that a resumed session sends")
struct RetellingTests {
    /// The steps that lead to a state, and the messages that describe this state.
    struct Way: Sendable, CustomTestStringConvertible {
        var state: String
        var edge = "top"
        var feed: String? = "songs"
        var profile = "default"
        /// Whether a first page is loaded before.
        var needsList = false
        var says: [String] = []
        var progress: Double?
        var cause: String?
        /// The result of the load. Nil if it is not answered.
        var outcome: LoadOutcome?
        var waitMs = 0.0
        /// The inset at that edge, in points.
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
            says: [#""type":"enable","view":"list","edge":"top","enabled":false"#]),
        Way(state: "idle"),
        Way(state: "pulling", says: [scroll(0, "began"), scroll(-32, "dragging")], progress: 0.5),
        Way(state: "eligible", says: [scroll(0, "began"), scroll(-64, "dragging")], progress: 1),
        Way(state: "triggered", feed: nil, says: [refresh], cause: "key"),
        Way(state: "refreshing", says: [refresh], cause: "key", inset: 64, offset: -64),
        Way(
            state: "succeeded", says: [refresh], outcome: .page(HostWorld.page(3)), waitMs: 310,
            inset: 64, offset: -64),
        Way(
            state: "failed", says: [refresh], outcome: failure, waitMs: 310, inset: 64,
            offset: -64),
        Way(
            state: "finishing", says: [refresh], outcome: .page(HostWorld.page(3)), waitMs: 800,
            offset: 0),
        Way(
            state: "disabled", edge: "bottom",
            says: [#""type":"enable","view":"list","edge":"bottom","enabled":false"#]),
        Way(state: "idle", edge: "bottom"),
        Way(
            state: "approaching", edge: "bottom", profile: "uikit",
            says: [scroll(3000, "began"), scroll(3170, "dragging")], progress: 0.5),
        Way(
            state: "loading", edge: "bottom", needsList: true, says: [more], cause: "key",
            inset: 64),
        Way(
            state: "failed", edge: "bottom", needsList: true, says: [more], outcome: failure),
        Way(
            state: "noMore", edge: "bottom", needsList: true, says: [more],
            outcome: .page(HostWorld.page(3, more: false))),
    ]

    @Test("A resumed session sends each state of both edges, on any loop", arguments: ways, [0, 1])
    func states(_ way: Way, _ loop: Int) throws {
        let world = HostWorld()
        let first = world.connect()
        var welcome = first.open(feed: way.feed, profile: way.profile)
        if way.needsList {
            first.feed(#"{"type":"refresh","view":"list","seq":1}"#)
            world.answerLast(10)
            world.pass(milliseconds: 5000)
        }
        for (index, text) in way.says.enumerated() {
            first.feed(#"{"seq":\#(index + 2),\#(text)}"#)
            world.pass(milliseconds: 10)
        }
        if let outcome = way.outcome {
            world.tell(.ended(outcome), of: try #require(world.dispatcher.started.last?.0))
        }
        world.pass(milliseconds: way.waitMs)
        let received = first.take().all("items").compactMap { $0["load"]?.string }
        first.hangUp()
        // It is resumed twice, because sending the state must not change it.
        for _ in 0..<2 {
            let client = world.connect(to: loop)
            let told = client.comeBack(welcome, received: received)
            try check(told, way)
            welcome = told[0]
            client.hangUp()
        }
    }

    private func check(_ told: [JSONValue], _ way: Way) throws {
        let attached = try #require(told.first("attached"))
        let update = try #require(told.first("update"))
        #expect(attached[way.edge]?["state"]?.string == way.state)
        #expect(update[way.edge]?["state"]?.string == way.state)
        #expect(update[way.edge]?["progress"]?.number == way.progress)
        #expect(update[way.edge]?["cause"]?.string == way.cause)
        #expect(update["inset"]?[way.edge]?.number == way.inset)
        if let offset = way.offset { #expect(update["offset"]?["to"]?.number == offset) }
        let runs = ["triggered", "refreshing", "loading"].contains(way.state)
        let loads = told.filter { $0["phase"]?.string == "began" || $0["type"]?.string == "load" }
        #expect(loads.count == (runs ? 1 : 0))
    }

    @Test("A resumed session sends a running offset command again, with its original start")
    func offset() throws {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open(profile: "default")
        let shown = first.say(#"{"type":"refresh","view":"list","seq":2}"#)
        let command = try #require(shown.first("update")?["offset"])
        #expect((command["duration"]?.number ?? 0) > 0)
        first.hangUp()
        world.pass(milliseconds: 100)
        let told = world.connect(to: 1).comeBack(welcome)
        #expect(told.first("update")?["offset"] == command)
    }

    @Test("A resumed session sends the states of floor, newer data and list, and the last update")
    func rest() throws {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open(profile: "default")
        first.say(#"{"type":"configure","view":"list","seq":2,"top":{"floor":{"length":160}}}"#)
        first.say(#"{"type":"refresh","view":"list","seq":3}"#)
        world.answerLast()
        world.pass(milliseconds: 5000)
        world.directory.feedChanged("songs")
        world.settle()
        first.say(#"{"type":"floor","view":"list","seq":4,"open":true}"#)
        world.pass(milliseconds: 5000)
        first.hangUp()
        let told = world.connect(to: 1).comeBack(welcome, received: ["1.1"])
        let update = try #require(told.first("update"))
        #expect(update["floor"]?["state"]?.string == "open")
        #expect(update["inset"]?["top"]?.number == 800)
        #expect(update["newer"]?.bool == true)
        #expect(update["list"]?["count"]?.number == 3 && update["list"]?["more"]?.bool == true)
        #expect(update["lastUpdated"]?.number == 1000)
    }

    @Test(
        "A resumed session draws in the mode of the new `hello`",
        arguments: ["plain", "stream", "local"],
        ["plain", "stream", "local"])
    func frames(_ before: String, _ after: String) throws {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open(frames: before, profile: "default")
        first.say(#"{"type":"refresh","view":"list","seq":2}"#)
        first.hangUp()
        let second = world.connect(to: 1)
        let told = second.comeBack(welcome, frames: after)
        let attached = try #require(told.first("attached"))
        #expect((attached["law"] != nil) == (after != "plain"))
        #expect((attached["top"]?["programme"] != nil) == (after != "plain"))
        #expect((attached["top"]?["frame"] != nil) == (after == "stream"))
        let update = try #require(told.first("update"))
        #expect((update["top"]?["indicator"] != nil) == (after == "plain"))
        world.pass(milliseconds: 200)
        #expect(second.take().isEmpty == (after != "stream"))
    }

    @Test("The views in `hello` are resumed, attached or removed, and their new sizes apply")
    func views() throws {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open(views: ["list", "gone"])
        first.say(#"{"type":"refresh","view":"list","seq":2}"#)
        first.say(#"{"type":"refresh","view":"gone","seq":3}"#)
        first.hangUp()
        let views = [
            #"{"view":"list","profile":"nobody","feed":"songs","geometry":{"insets":{"top":40}},"offset":-100}"#,
            HostClient.view("new"), #"{"view":"bad","profile":"nobody"}"#,
        ]
        let second = world.connect(to: 1)
        let told = second.comeBack(
            welcome, extra: #","views":[\#(views.joined(separator: ","))]"#)
        #expect(
            told.types == ["welcome", "attached", "update", "loading", "attached", "error"])
        #expect(told[1]["view"]?.string == "list" && told[1]["generation"]?.number == 1)
        #expect(told[4]["view"]?.string == "new" && told[4]["generation"]?.number == 3)
        #expect(told[5]["code"]?.string == "unknownProfile" && told[5]["view"]?.string == "bad")
        #expect(world.dispatcher.cancelled.map(\.view) == ["gone"])
        #expect(world.total.views == 2)
        // The resting offset is now 40 farther up, and the room of 60 is open.
        world.answerLast(0)
        let engine = try #require(second.session.conversation.value.views.first?.engine)
        #expect(engine.physicalOffset == -100)
    }

    @Test("The headers of the new `hello` replace the earlier ones in later loads")
    func headers() {
        let world = HostWorld()
        let first = world.connect()
        let welcome = first.open(extra: #","headers":{"accept-language":"de","x":"1"}"#)
        first.hangUp()
        let second = world.connect(to: 1)
        _ = second.comeBack(welcome, extra: #","headers":{"accept-language":"fr"}"#)
        second.say(#"{"type":"refresh","view":"list","seq":2}"#)
        let headers = world.dispatcher.started.last?.1.headers
        #expect(headers == [HeaderField(name: "accept-language", value: "fr")])
        // The backend receives the unchanged name of the session.
        let key = world.dispatcher.wishes.last?.idempotencyKey
        #expect(key?.hasPrefix("\(second.session.name)-1.1-") == true)
        #expect(welcome["session"]?.string == second.session.name)
    }
}
