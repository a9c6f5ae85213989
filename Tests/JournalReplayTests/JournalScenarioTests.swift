import RefreshProtocol
import RefreshSession
import ScenarioKit
import Testing

@testable import JournalReplay

@Suite("Scenarios of journals")
struct JournalScenarioTests {
    private static let hello = #"{"type":"hello","protocol":1,"client":"a\nb"}"#
    private static let welcome = #"{"type":"welcome","protocol":1,"session":"s","token":"t"}"#

    private static let header = JournalHeader(
        started: "2026-11-21T12:00:00Z", at: Instant(microseconds: 0), session: "here",
        key: SessionKey(loop: 0, slot: 0, generation: 1), limits: Limits(), feeds: [])

    private enum Event {
        case client(String, Int64)
        case server(String)
        case input(SessionInput, Int64)
        case output(JournalOutput)
    }

    /// Returns the steps of a scenario of these events, whose times are in milliseconds.
    private static func steps(_ events: [Event], token: String? = nil) throws -> [String] {
        let lines = events.map { event -> JournalLine in
            switch event {
            case .client(let text, let ms):
                .input(at: Instant(microseconds: ms * 1000), .frame(Array(text.utf8)))
            case .server(let text): .output(.frame(Array(text.utf8)))
            case .input(let input, let ms): .input(at: Instant(microseconds: ms * 1000), input)
            case .output(let output): .output(output)
            }
        }
        var bytes = ByteBuffer(capacity: 4096)
        for line in [.header(header)] + lines { line.write(to: &bytes) }
        let text = try JournalScenario(bytes.bytes, token: token).text
        #expect(throws: Never.self) { try ScenarioParser.parse(text, name: "s") }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static func refusal(_ events: [Event]) -> String {
        let error = #expect(throws: JournalUnusable.self) { try steps(events) }
        return error?.description ?? ""
    }

    @Test("Frames keep their intervals and follow the messages that they were sent after")
    func order() throws {
        let steps = try Self.steps([
            .client(Self.hello, 5), .server(Self.welcome),
            .client(#"{"type":"ping","t":1}"#, 1_005), .server(#"{"type":"pong","t":1}"#),
            .client(#"[{"type":"bye"}]"#, 1_006), .server(#"{"type":"bye"}"#),
            .output(.close(code: 1_000, reason: "normal")),
        ])
        #expect(
            steps == [
                "description: The recorded session of the client a?b, with 3 frames.",
                "expectation: The server answers as on 2026-11-21T12:00:00Z.", "",
                "# connect", #"hello {protocol: 1, client: "a\nb"}"#,
                "expect welcome {protocol: 1}", "wait 1s", "ping {t: 1}", "",
                "# leave", "wait 1ms", "send [{type: bye}]", "expect bye", "expect close 1000", "",
            ])
    }

    @Test("A `seq` is left out only where a scenario adds the same number")
    func sequence() throws {
        let steps = try Self.steps([
            .client(Self.hello, 0), .client(#"{"type":"refresh","seq":1,"view":"a b"}"#, 0),
            .client(#"{"type":"refresh","seq":1,"view":"v"}"#, 0),
            .client(#"{"type":"refresh","seq":5,"view":"limit"}"#, 0),
            .client(#"{"type":"refresh","seq":6,"view":"v"}"#, 0),
            .client(#"{"type":"refresh","view":"v"}"#, 0),
            .client(#"{"type":"nothing","seq":7,"0":"null"}"#, 0),
            .client("{\"type\":\n", 0),
        ])
        let sent = steps.filter { !$0.hasPrefix("#") && !$0.isEmpty }.dropFirst(3)
        #expect(
            Array(sent) == [
                #"refresh "a b""#, "refresh v {seq: 1}", #"refresh "limit" {seq: 5}"#, "refresh v",
                #"raw "{\"type\":\"refresh\",\"view\":\"v\"}""#,
                #"send {type: nothing, "0": "null"}"#, #"raw "{\"type\":\n""#,
            ])
    }

    @Test("Identifiers that the server chooses are variables where the client uses them")
    func variables() throws {
        let steps = try Self.steps([
            .client(Self.hello, 0),
            .server(#"{"type":"attached","view":"v","generation":3,"top":{"state":"idle"}}"#),
            .server(#"{"type":"load","view":"v","load":"3.1","kind":"refresh","page":1}"#),
            .server(#"{"type":"load","view":"v","load":"3.2","kind":"more","page":2}"#),
            .client(
                #"[{"type":"loadFinished","view":"v","load":"3.1","generation":3,"seq":1}]"#, 0),
            .client(#"{"type":"cancel","view":"v","load":"9.9","generation":8,"seq":2}"#, 0),
        ])
        #expect(
            steps.contains(
                "expect attached v {top: {state: idle}, bottom: absent, "
                    + "generation: ?generation1}"))
        #expect(steps.contains("expect load v {kind: refresh, page: 1, load: ?load1}"))
        #expect(steps.contains("expect load v {kind: more, page: 2}"))
        #expect(steps.contains(#"cancel v {load: "9.9", generation: 8}"#))
        #expect(
            steps.contains(
                "send [{type: loadFinished, view: v, load: $load1, generation: $generation1}]"))
    }

    @Test("States are expected, and values that follow a finger or depend on times are not")
    func stable() throws {
        let steps = try Self.steps([
            .client(Self.hello, 0),
            .server(
                #"{"type":"update","view":"v","ack":1,"top":{"state":"pulling","progress":0.5}}"#),
            .server(#"{"type":"update","view":"v","ack":2,"top":{"progress":0.7}}"#),
            .server(
                #"{"type":"update","view":"v","top":{"state":"refreshing","cause":"finger"},"#
                    + #""inset":{"top":60,"start":5},"offset":{"to":-60,"duration":9,"start":5}}"#),
            .server(
                #"{"type":"update","view":"v","top":{"state":"idle","result":"success"},"#
                    + #""inset":{"top":0,"start":7},"list":{"count":20,"more":true}}"#),
            .server(#"{"type":"loading","view":"v","load":"1.1","phase":"progress"}"#),
            .server(#"{"type":"snapshot","sealed":"x"}"#),
        ])
        #expect(
            Array(steps.dropFirst(5)) == [
                "expect update v {top: {state: pulling}}",
                "expect update v {top: {state: refreshing, cause: finger}, "
                    + "inset: {top: 60 ~ 0.01}, offset: {to: -60 ~ 0.01}}",
                "expect update v {top: {state: idle, result: success}, "
                    + "list: {count: 20, more: true}}", "",
                "# the state at the end",
                "expect state v {top: {state: idle}, inset: {top: 0 ~ 0.01}, "
                    + "offset: {to: -60 ~ 0.01}, list: {count: 20, more: true}}", "",
            ])
    }

    @Test("The messages of several views between two frames are expected in any order")
    func views() throws {
        let steps = try Self.steps([
            .client(Self.hello, 0), .server(#"{"type":"items","view":"a","count":1}"#),
            .server(#"{"type":"items","view":"b","count":2}"#), .client("", 9_000),
        ])
        #expect(steps.contains("expect items a {count: 1}"))
        #expect(steps.contains("  and items b {count: 2}"))
        #expect(steps.contains(#"raw """#) && steps.contains("wait 9s"))
    }

    @Test("A client that resumed in the journal drops its connection and reconnects")
    func resumed() throws {
        let hello =
            #"{"type":"hello","protocol":1,"client":"c","resume":{"session":"s","#
            + #""token":"AAAAAAAAAAAAAAAAAAAAAA","ack":1}}"#
        let steps = try Self.steps([
            .client(Self.hello, 0), .server(Self.welcome), .input(.lost, 1_000),
            .input(
                .resumed(ResumeHandshake(Hello(version: 1), text: Array(hello.utf8)), nil), 3_000),
            .server(#"{"type":"welcome","protocol":1,"resumed":true}"#),
        ])
        #expect(
            Array(steps.suffix(7))
                == [
                    "wait 1s", "", "# reconnect", "drop", "wait 2s",
                    "reconnect {protocol: 1, client: c}",
                    "expect welcome {protocol: 1, resumed: true}", "",
                ].suffix(7))
    }

    @Test(
        "A journal that a scenario cannot repeat is refused with the first line that is the reason")
    func unrepeatable() {
        let start: [Event] = [.client(Self.hello, 0), .server(Self.welcome)]
        #expect(Self.refusal([]).contains("has no frame of a client"))
        #expect(Self.refusal(start + [.input(.binary, 1)]).contains("line 4 is a binary frame"))
        #expect(Self.refusal(start + [.input(.changed(feed: "f"), 1)]).contains("line 4 needs"))
        #expect(Self.refusal(start + [.client("x", 4_000_000)]).contains("more than an hour"))
        let newer = #"{"type":"update","view":"v","newer":true}"#
        #expect(Self.refusal(start + [.server(newer)]).contains("a reported change of a feed"))
        let stops = #"{"type":"error","code":"draining"}"#
        #expect(Self.refusal(start + [.server(stops)]).contains("a daemon that stops soon"))
        let masked: Event = .client(#"{"type":"hello","protocol":1,"token":"***"}"#, 0)
        #expect(Self.refusal([masked]).contains("--token"))
        let many = (0...10_000).map { Event.client(#"{"type":"ping","t":\#($0)}"#, Int64($0)) }
        #expect(Self.refusal(start + many).contains("is too long for a scenario"))
    }

    @Test("The token is written into the scenario, and a token that is not masked is kept")
    func token() throws {
        let hello = #"{"type":"hello","protocol":1,"client":"c","token":"***"}"#
        let given = try Self.steps([.client(hello, 0)], token: "mine")
        #expect(given.contains("hello {protocol: 1, client: c, token: mine}"))
        let kept = try Self.steps([.client(hello.replacing("***", with: "own"), 0)])
        #expect(kept.contains("hello {protocol: 1, client: c, token: own}"))
    }
}
