import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing
import WireContract

@testable import RefreshServer
@testable import RefreshSession

/// Replays the examples of docs/messages.md, which are those of `Contract`, with real sessions.
@Suite("Examples of messages")
struct MessageExampleTests {
    /// A session that has a view `list` and seals snapshots.
    private struct Replay {
        let fixture: HostFixture
        let client: HostClient

        private static let packages = FeedDescription(
            name: "packages", parameters: ["q", "section"], style: .page, size: 50,
            itemKey: JSONPointer("/name"))
        static let messages = FeedDescription(
            name: "messages", style: .page, size: 50, itemKey: JSONPointer("/id"),
            edits: Set(ItemOperation.Kind.allCases))
        static let log = FeedDescription(name: "log", style: .page, size: 50)

        /// `feed` is one more feed.
        init(_ feed: FeedDescription? = nil) {
            fixture = HostFixture(
                feeds: [Self.packages] + [feed].compactMap { $0 },
                seal: SnapshotResumeTests.NumberingSeal())
            client = fixture.connect()
        }

        /// Opens the session with these views, and with every feature unless `features` is false.
        @discardableResult
        func open(_ views: String, features: Bool = true) -> [JSONValue] {
            let names = Feature.allCases.map { "\"\($0.wireName)\"" }.joined(separator: ",")
            let features = features ? #","features":[\#(names)]"# : ""
            return client.send(
                #"{"type":"hello","protocol":1,"snapshots":true,"diagnostics":true\#(features),"#
                    + #""views":[\#(views)]}"#)
        }

        /// Sends a message about a view.
        @discardableResult
        func send(
            _ type: String, _ seq: Int, _ members: String = "", view: String = "list"
        ) -> [JSONValue] {
            client.send(#"{"type":"\#(type)","seq":\#(seq),"view":"\#(view)"\#(members)}"#)
        }

        /// Reports an event of the last started load of a feed.
        func report(_ event: LoadEvent) -> [JSONValue] {
            guard let (ticket, _) = fixture.dispatcher.started.last else { return [] }
            fixture.report(event, of: ticket)
            fixture.settle()
            return client.receive()
        }

        @discardableResult
        func answer() -> [JSONValue] {
            report(
                .ended(
                    .page(Page(items: Array(#"[{"name":"zlib"}]"#.utf8), count: 1, more: true))))
        }

        /// Answers with items of these names, which are their keys.
        @discardableResult
        func answer(names: [String], key: String = "name") -> [JSONValue] {
            let items = names.map { #"{"\#(key)":"\#($0)"}"# }.joined(separator: ",")
            var page = Page(items: Array("[\(items)]".utf8), count: names.count, more: true)
            page.itemKeys = JSONPointer("/\(key)").flatMap {
                ItemKeys(of: page, at: $0, hashedBy: SipHash(key: 1, 2))
            }
            return report(.ended(.page(page)))
        }

        func fail(_ code: FaultCode, _ message: String) -> [JSONValue] {
            report(.ended(.failed(LoadFailure(code, message))))
        }
    }

    private static let geometry =
        #""geometry":{"viewport":{"width":390,"height":800},"content":{"width":390,"height":4000}}"#
    private static let list =
        #"{"view":"list","profile":"default","feed":"packages","top":{"floor":{"length":160}},"#
        + geometry + "}"
    private static let plainList =
        #"{"view":"list","profile":"default","feed":"packages",\#(geometry)}"#
    private static let ownList =
        #"{"view":"list","profile":"default","paging":{"size":10},\#(geometry)}"#

    private static func examples(of speaker: Speaker) -> [(message: MessageShape, text: String)] {
        Contract.messages.filter { $0.sender == speaker }
            .flatMap { message in message.examples.map { (message, $0) } }
    }

    // MARK: Messages of the client

    /// Brings a new session into a state in which a client can send the message.
    private static func prepare(for type: String) -> Replay {
        let replay = Replay()
        switch type {
        case "hello": break
        case "attach": replay.open("")
        case "loadBegan", "loadProgress", "loadFinished":
            // The load 1.3 of the examples is the third one.
            replay.open(ownList)
            replay.send("refresh", 2)
            replay.send("loadFinished", 3, #","load":"1.1","result":"success","count":10"#)
            replay.send("loadMore", 4)
            replay.send("loadFinished", 5, #","load":"1.2","result":"success","count":10"#)
            replay.send("loadMore", 6)
        case "retry":
            replay.open(list)
            replay.send("refresh", 2)
            _ = replay.fail(.backendFailed, "It failed.")
        default:
            replay.open(list)
            replay.send("refresh", 2)
            replay.answer()
        }
        return replay
    }

    @Test(
        "A session accepts each example of a client message, without a fault or a diagnostic",
        arguments: examples(of: .client).map { ($0.message.type, $0.text) })
    func accepted(_ type: String, _ example: String) throws {
        let replay = Self.prepare(for: type)
        let answer = replay.client.send(example)
        #expect(
            answer.allSatisfy { !["error", "diagnostic"].contains($0["type"]?.string) },
            "\(answer.map(\.text))")
        guard type != "bye" else {
            #expect(answer.types == ["bye"] && replay.client.channel.closed == .normal)
            return
        }
        let pong = try #require(replay.client.send(#"{"type":"ping","t":1}"#).first("pong"))
        // The daemon has handled the message: its answers take the `seq` into account.
        if let seq = try JSONValue(parsing: example)["seq"] { #expect(pong["ack"] == seq) }
        let expected = ["hello": "welcome", "attach": "attached", "snapshot": "snapshot"]
        if let type = expected[type] { #expect(answer.types.contains(type)) }
        if type == "ping" { #expect(answer.types == ["pong"]) }
    }

    // MARK: Messages of the daemon

    /// Returns messages that a daemon sends in sessions. They contain those of the examples.
    private static func sent(_ type: String) -> [JSONValue] {
        let replay = Replay()
        switch type {
        case "welcome", "attached":
            return replay.open("", features: false)
                + replay.client.send(
                    #"{"type":"attach","seq":1,"view":"list","profile":"default","feed":"packages"}"#
                )
        case "update": return updates(replay)
        case "load":
            replay.open(ownList, features: false)
            return pull(replay, to: -72, from: 1)
        case "loading":
            replay.open(plainList, features: false)
            return replay.send("refresh", 1)
                + replay.fail(.backendTimedOut, "The backend did not answer in time.")
        case "items":
            let patching = Replay()
            patching.open(plainList)
            let names = (0..<50).map { $0 == 0 ? "bash" : "package-\($0)" }
            patching.send("refresh", 1)
            _ = patching.answer(names: names)
            patching.send("refresh", 2)
            replay.open(plainList, features: false)
            replay.send("refresh", 1)
            return replay.answer() + patching.answer(names: ["aide", "apt"] + names)
                + liveItems() + rowsInSight()
        case "edited": return edits()
        case "error":
            replay.open("", features: false)
            return replay.client.send(#"{"type":"refresh","seq":12,"view":"lst"}"#)
        case "diagnostic":
            replay.open(plainList, features: false)
            return replay.send("configure", 11, #","top":{"triger":"reach"}"#)
                + pull(replay, to: -72, from: 12)
                + replay.send("scroll", 16, #","offset":-72,"phase":"idle""#)
        case "pong":
            replay.open(plainList, features: false)
            replay.send("geometry", 12)
            return replay.client.send(#"{"type":"ping","t":1516.7}"#)
        case "snapshot":
            replay.open(plainList)
            replay.send("geometry", 13)
            return replay.client.send(#"{"type":"snapshot"}"#)
        case "draining":
            replay.open(plainList)
            replay.client.session.handle(.draining(closesMs: 2500), at: replay.fixture.now)
            return replay.client.receive()
        case "bye": return replay.client.send(#"{"type":"bye"}"#)
        default: return []
        }
    }

    private static let chat =
        #"{"view":"chat","profile":"default","feed":"messages","top":{"arrivals":"insert"},"#
        + geometry + "}"

    /// A chat whose list was loaded three times.
    private static func loadedChat() -> Replay {
        let replay = Replay(Replay.messages)
        replay.open(chat)
        for seq in 1...3 {
            replay.send("refresh", seq, view: "chat")
            replay.answer(names: (10...59).map { "m\($0)" } + ["m2"], key: "id")
            replay.client.session.handle(.wake, at: replay.fixture.now)
        }
        return replay
    }

    /// A message is inserted, and another one removed.
    private static func liveItems() -> [JSONValue] {
        let replay = loadedChat()
        let hash = SipHash(key: 1, 2)
        func key(_ text: String) -> ItemOperation.Key {
            ItemOperation.Key(Array("\"\(text)\"".utf8), hashedBy: hash)
        }
        let change = ItemChange([
            ItemOperation(
                .insert, key("m9"), at: .start, item: Array(#"{"id":"m9","text":"hello"}"#.utf8),
                hashedBy: hash),
            ItemOperation(.remove, key("m2"), hashedBy: hash),
        ])
        replay.client.session.handle(
            .changed(feed: "messages", items: [change]), at: replay.fixture.now)
        return replay.client.receive()
    }

    /// The page of rows in the middle of a log.
    private static func rowsInSight() -> [JSONValue] {
        let replay = Replay(Replay.log)
        replay.open(
            #"{"view":"log","profile":"default","feed":"log","paging":{"access":"random"},"#
                + geometry + "}")
        replay.send("refresh", 1, view: "log")
        var sent: [JSONValue] = []
        for (index, row) in [0, 100, 6000].enumerated() {
            if row > 0 {
                replay.send(
                    "scroll", index + 1,
                    #","offset":\#(row * 44),"phase":"idle","visible":{"first":\#(row),"last":\#(row + 17)}"#,
                    view: "log")
            }
            let item = Array(#"[{"line":\#(row + 1)}]"#.utf8)
            sent += replay.report(.ended(.page(Page(items: item, count: 1, total: 10_000))))
        }
        return sent
    }

    /// An edit whose item the backend replaces, one that is undone, and one whose outcome is
    /// unknown.
    private static func edits() -> [JSONValue] {
        let replay = loadedChat()
        let insert = #""operation":{"insert":{"id":"m100"},"at":"start"}"#
        replay.send("edit", 4, #","edit":"6f0c8a52-91d4",\#(insert)"#, view: "chat")
        guard let (ticket, request) = replay.fixture.dispatcher.edits.last else { return [] }
        let hash = SipHash(key: 1, 2)
        let item = EditedItem(
            ItemOperation.Key(Array(#""m1234""#.utf8), hashedBy: hash),
            Array(#"{"id":"m1234"}"#.utf8), hashedBy: hash)
        replay.client.session.handle(
            .edited(ticket, request, .replaced(item)), at: replay.fixture.now)
        let replaced = replay.client.receive()
        let undoing = loadedChat()
        undoing.send(
            "edit", 4, #","edit":"6f0c8a52-91d4","operation":{"remove":"m2"},"delayMs":5000"#,
            view: "chat")
        let undone = undoing.send("undo", 5, #","edit":"6f0c8a52-91d4""#, view: "chat")
        let losing = loadedChat()
        losing.send(
            "edit", 4, #","edit":"6f0c8a52-91d4","operation":{"remove":"m2"}"#, view: "chat")
        guard let (lost, removal) = losing.fixture.dispatcher.edits.last else { return [] }
        let failure = LoadFailure(.backendTimedOut, "No answer arrived in time.")
        losing.client.session.handle(
            .edited(lost, removal, .unknown(failure)), at: losing.fixture.now)
        return replaced + undone + losing.client.receive()
    }

    private static func pull(_ replay: Replay, to offset: Double, from seq: Int) -> [JSONValue] {
        replay.send("scroll", seq, #","offset":0,"phase":"began""#)
            + replay.send("scroll", seq + 1, #","offset":\#(offset / 2),"phase":"dragging""#)
            + replay.send("scroll", seq + 2, #","offset":\#(offset),"phase":"dragging""#)
            + replay.send("scroll", seq + 3, #","offset":\#(offset),"phase":"ended""#)
    }

    /// A pull, and the movement of a list after a `pan`.
    private static func updates(_ replay: Replay) -> [JSONValue] {
        replay.open(plainList, features: false)
        replay.send("scroll", 11, #","offset":0,"phase":"began""#)
        var sent = replay.send("scroll", 12, #","offset":-50,"phase":"dragging""#)
        replay.send("scroll", 13, #","offset":0,"phase":"ended""#)
        replay.send("scroll", 14, #","offset":0,"phase":"idle""#)
        replay.send("pan", 15, #","translation":0,"phase":"began","offset":500"#)
        sent += replay.send("pan", 16, #","translation":0,"phase":"ended","velocity":100"#)
        return sent
    }

    /// The members with identifiers, secrets and times. They differ in each session.
    private static let volatile: Set<String> = [
        "session", "token", "server", "time", "start", "sealed", "lastUpdated",
    ]
    /// The members of which the example shows only a part.
    private static let partial: Set<String> = ["limits", "profiles", "indicators"]

    /// Returns the message without the values that differ in each session, and without the members
    /// of which the example shows only a part.
    private static func comparable(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members):
            .object(
                members.map { member in
                    JSONValue.Member(
                        member.name,
                        volatile.contains(member.name) || partial.contains(member.name)
                            ? .null : comparable(member.value))
                })
        case .array(let values): .array(values.map(comparable))
        default: value
        }
    }

    /// Whether the example's part of a configurable member is in the message.
    private static func contains(_ message: JSONValue, part: JSONValue) -> Bool {
        if case .object(let members) = part {
            return members.allSatisfy { message[$0.name] == $0.value }
        }
        return (part.array ?? []).allSatisfy { (message.array ?? []).contains($0) }
    }

    @Test(
        "A session sends each example of a daemon message, except for identifiers and times",
        arguments: examples(of: .daemon).map { ($0.message.type, $0.text) })
    func produced(_ type: String, _ example: String) throws {
        let sent = Self.sent(type).filter { $0["type"]?.string == type }
        let expected = try JSONValue(parsing: example)
        let found = sent.first { Self.comparable($0) == Self.comparable(expected) }
        #expect(found != nil, "not sent: \(example)\nsent:\n\(sent.map(\.text))")
        guard let found else { return }
        for name in Self.partial.subtracting(["indicators"]) {
            if let part = expected[name], let whole = found[name] {
                #expect(Self.contains(whole, part: part), "\(name)")
            }
        }
    }

    @Test("Every message of a session has an example that is replayed")
    func complete() {
        for message in Contract.messages where [.client, .daemon].contains(message.sender) {
            #expect(!message.examples.isEmpty)
            if message.sender == .daemon {
                #expect(!Self.sent(message.type).isEmpty, "\(message.type)")
            }
        }
    }
}
