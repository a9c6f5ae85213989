import RefreshProtocol
import SessionBench
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// A watcher is a client of `/v1/watch`. It receives events about sessions.
@Suite("Watching a daemon", .limit)
struct WatchTests {
    static let attach =
        #"{"type":"attach","seq":1,"view":"list","profile":"iqpulltorefresh","feed":"songs","#
        + #""parameters":{"q":"secret-parameter"},"#
        + #""geometry":{"viewport":{"width":100,"height":100}}}"#

    /// Pulls until the daemon refreshes, releases the list, and waits for the items.
    static func refresh(_ client: DialedClient) async throws {
        var seq = 2
        for (offset, phase) in [(0, "began"), (-80, "dragging"), (-200, "dragging")] {
            client.send(
                #"{"type":"scroll","view":"list","seq":\#(seq),"offset":\#(offset),"#
                    + #""phase":"\#(phase)"}"#)
            seq += 1
        }
        client.send(
            #"{"type":"scroll","view":"list","seq":\#(seq),"offset":-200,"phase":"ended"}"#)
        var received = ""
        while !received.contains("secret-item") {
            received += try #require(await client.receive(within: .patient).text)
        }
    }

    @Test("A watcher receives a gesture's events in order, without items, parameters or headers")
    func gesture() async throws {
        let daemon = try TestDaemon.withOperators()
        let watcher = try await daemon.watching()
        let client = try await daemon.connect()
        client.send(
            #"{"type":"hello","protocol":1,"client":"demo","#
                + #""headers":{"accept-language":"secret-header"}}"#)
        _ = await client.receive(within: .patient)
        client.send(Self.attach)
        try await Self.refresh(client)
        client.send(#"{"type":"bye"}"#)
        let events = try await watcher.events { $0["event"]?.string == "closed" }
        let names = events.compactMap { $0["event"]?.string }
        #expect(!events.contains { $0.text.contains("secret") })
        #expect(Set(events.map { $0["session"]?.string }).count == 1)
        #expect(names.first == "opened")
        #expect(events.first?["peer"]?.string == "127.0.0.1")
        let greeted = try #require(events.first { $0["event"]?.string == "greeted" })
        #expect(greeted["client"]?.string == "demo")
        #expect(greeted["frames"]?.string == "plain")
        let attached = try #require(events.first { $0["event"]?.string == "attached" })
        #expect(attached["view"]?.string == "list")
        #expect(attached["feed"]?.string == "songs")
        let received = events.filter { $0["event"]?.string == "received" }
        #expect(
            received.compactMap { $0["type"]?.string }
                == ["hello", "attach", "scroll", "scroll", "scroll", "scroll", "bye"])
        #expect(received.compactMap { $0["seq"]?.number } == [1, 2, 3, 4, 5])
        try Self.checkTransitions(events)
        try Self.checkLoad(events)
        #expect(events.last?["code"]?.number == 1000)
    }

    /// Checks that each transition starts in the state in which the previous one of the same edge
    /// ended.
    private static func checkTransitions(_ events: [JSONValue]) throws {
        let steps = events.filter {
            $0["event"]?.string == "transition" && $0["edge"]?.string == "refresh"
        }
        #expect(steps.first?["from"]?.string == "idle")
        #expect(steps.contains { $0["to"]?.string == "refreshing" })
        #expect(
            steps.dropFirst().map { $0["from"]?.string }
                == steps.dropLast().map { $0["to"]?.string })
        let trigger = try #require(
            steps.first { ["triggered", "refreshing"].contains($0["to"]?.string) })
        #expect(trigger["cause"]?.string == "finger")
    }

    private static func checkLoad(_ events: [JSONValue]) throws {
        let begin = try #require(
            events.firstIndex {
                $0["event"]?.string == "loadBegan" && $0["kind"]?.string == "refresh"
            })
        let end = try #require(
            events.firstIndex {
                $0["event"]?.string == "loadEnded"
                    && $0["load"]?.string == events[begin]["load"]?.string
            })
        #expect(begin < end)
        #expect(events[end]["result"]?.string == "success")
        #expect((0...60_000).contains(events[end]["ms"]?.number ?? -1))
        #expect(events[end]["feed"]?.string == "songs")
    }

    @Test("A filter by session passes only the events of this session, even if it is already open")
    func bySession() async throws {
        let daemon = try TestDaemon.withOperators()
        let (other, _) = try await daemon.named()
        let (client, name) = try await daemon.named()
        let watcher = try await daemon.watching("?session=\(name)")
        for _ in 0..<20 {
            other.send(#"{"type":"ping","t":1}"#)
            _ = await other.receive(within: .patient)
        }
        client.send(#"{"type":"scroll","view":"none","seq":7}"#)
        _ = await client.receive(within: .patient)
        let events = try await watcher.events { $0["event"]?.string == "fault" }
        #expect(events.compactMap { $0["event"]?.string }.last == "fault")
        #expect(events.allSatisfy { $0["session"]?.string == name })
        #expect(!events.contains { $0["event"]?.string == "opened" })
    }

    @Test("A filter by feed passes only the events of views on this feed")
    func byFeed() async throws {
        let daemon = try TestDaemon.withOperators()
        let watcher = try await daemon.watching("?feed=songs")
        let (client, _) = try await daemon.named()
        client.send(
            #"[{"type":"attach","seq":1,"view":"own","profile":"default"},"#
                + #"{"type":"attach","seq":2,"view":"list","profile":"default","feed":"songs"},"#
                + #"{"type":"refresh","view":"own","seq":3},"#
                + #"{"type":"detach","view":"list","seq":4}]"#)
        let events = try await watcher.events { $0["type"]?.string == "detach" }
        #expect(events.allSatisfy { $0["feed"]?.string == "songs" })
        #expect(events.allSatisfy { $0["view"]?.string == "list" })
        #expect(events.first?["event"]?.string == "attached")
    }

    @Test("A watcher that does not read loses events and receives their number")
    func frozen() async throws {
        let daemon = try TestDaemon.withOperators(
            limits: "framesPerSecondMax: 1000000, receivedBytesPerSecondMax: 1073741824")
        let socket = try FrozenWatcher(port: daemon.adminPort)
        #expect(try await daemon.order("GET", "/v1/sessions").status == 200)
        let (client, _) = try await daemon.named()
        let pings =
            "["
            + [String](repeating: #"{"type":"ping","t":1}"#, count: 64)
            .joined(separator: ",") + "]"
        // This is far more than the socket buffers of both sides and the watcher's own buffer can
        // contain.
        for _ in 0..<800 { client.send(pings) }
        for _ in 0..<800 {
            #expect(await client.receive(within: .patient).text?.contains("pong") == true)
        }
        let text = try socket.readUntil(#""event":"lost""#)
        let start = try #require(text.firstRange(of: #""event":"lost","count":"#))
        let count = Int(text[start.upperBound...].prefix { $0.isNumber })
        #expect((1...51_200).contains(count ?? 0))
    }

    @Test("watchersMax: one more watcher is refused, and admitted after another has disconnected")
    func bound() async throws {
        let daemon = try TestDaemon.withOperators(limits: "watchersMax: 2")
        let first = try await daemon.watching()
        let second = try await daemon.watching()
        for _ in 0..<300 {
            await #expect(throws: DialFailure.refused(status: 503)) {
                _ = try await daemon.watching()
            }
        }
        #expect(daemon.total.connections.count(of: .tooManyWatchers) == 300)
        first.client.close()
        _ = await first.client.receive(within: .patient)
        var third: EventReader?
        for _ in 0..<20_000 * patience where third == nil {
            third = try? await daemon.watching()
        }
        #expect(third != nil)
        second.client.close()
    }

    @Test("A watcher is counted, and is removed when it disconnects")
    func leaves() async throws {
        let daemon = try TestDaemon.withOperators(loops: 1)
        let watcher = try await daemon.watching()
        #expect(try await daemon.get("/metrics").body.contains("\nrefreshd_watchers 1\n"))
        watcher.client.close()
        _ = await watcher.client.receive(within: .patient)
        var isGone = false
        for _ in 0..<20_000 * patience where !isGone {
            isGone = try await daemon.get("/metrics").body.contains("\nrefreshd_watchers 0\n")
        }
        #expect(isGone)
    }

    @Test("A session handles messages on its fast path only while it has no observer")
    func observers() {
        let tester = SessionTester()
        let watch = LoopWatch(log: .silent)
        tester.open()
        #expect(tester.session.conversation.value.renderMode.isFast)
        tester.session.observer = SessionObserver(session: "test", watch: watch)
        #expect(!tester.session.conversation.value.renderMode.isFast)
        let answers = tester.send(
            #"{"type":"scroll","view":"list","seq":2,"offset":-30,"phase":"dragging"}"#)
        #expect(answers.count == 1)
        tester.session.observer = nil
        #expect(tester.session.conversation.value.renderMode.isFast)
    }

    @Test("The watchers' path serves no sessions, and requires its own subprotocol")
    func subprotocol() async throws {
        let daemon = try TestDaemon.withOperators(loops: 1)
        await #expect(throws: DialFailure.refused(status: 400)) {
            _ = try await daemon.dialer.connect("ws://127.0.0.1:\(daemon.adminPort)/v1/watch")
        }
        await #expect(throws: DialFailure.refused(status: 401)) {
            _ = try await daemon.connect("/v1/watch")
        }
    }
}
