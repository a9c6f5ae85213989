import Foundation
import RefreshProtocol
import Testing
import WebSocketTransport
import Workbench

/// The built recorder between clients and the built daemon.
@Suite("refresh-probe record", .ownThread, .limit)
struct RecordTests {
    /// Starts a daemon with the demo's feed. Returns it and its URL without a path.
    static func daemon(_ options: [String] = []) throws -> (RunningDaemon, url: String) {
        let daemon = try RunningDaemon(["--listen", "127.0.0.1:0"] + options)
        return (daemon, "ws://127.0.0.1:\(try RefreshdTests.announcement(of: daemon).port)")
    }

    private static let hello = #"{"type":"hello","protocol":1,"client":"test"}"#

    /// Opens a connection through the recorder.
    private static func client(
        of recorder: RunningRecorder, path: String = ProtocolVersion.sessionPath,
        subprotocol: String? = "refresh.v1", origin: String? = nil, authorization: String? = nil
    ) async throws -> (client: DialedClient, dialer: Dialer) {
        let dialer = try Dialer()
        let client = try await dialer.connect(
            recorder.url + path, subprotocol: subprotocol, origin: origin,
            authorization: authorization, within: .seconds(60))
        return (client, dialer)
    }

    /// Returns the next event of a connection, other than a message.
    private static func end(of client: DialedClient) async -> DialedEvent {
        while true {
            let event = await client.receive(within: .seconds(60))
            if case .message = event { continue }
            return event
        }
    }

    /// Opens a connection through the recorder, on a socket that the test reads itself.
    private static func socket(
        of recorder: RunningRecorder, receiveBufferBytes: Int32? = nil
    ) throws -> PlainSocket {
        let port = try #require(UInt16(recorder.url.split(separator: ":").last ?? ""))
        let socket = try PlainSocket(port: port, receiveBufferBytes: receiveBufferBytes)
        socket.send(
            "GET /v1/session HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
                + "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                + "Sec-WebSocket-Version: 13\r\n\r\n")
        try #require(socket.readHead().hasPrefix("HTTP/1.1 101"))
        return socket
    }

    @Test("A recorded session replays on the daemon, is drawn, and becomes a scenario that passes")
    func session() throws {
        let (daemon, url) = try Self.daemon()
        let recorder = try RunningRecorder(url)
        let scenario = try TemporaryFile(
            "pull.scenario", JournalTests.session + "\nbye\nexpect close 1000\n")
        let played = try ProbeTests.run(["run", "--url", recorder.session, scenario.path])
        #expect(played.status == 0, "\(played.output) \(played.errors)")
        let ending = recorder.stop()
        #expect(ending.status == 0)
        let sentence = /\d+ connections?, \d+ frames from clients, \d+ frames from the server\n/
        #expect(try sentence.wholeMatch(in: ending.output) != nil, "\(ending.output)")
        let file = try #require(recorder.listed)
        #expect(JournalTests.text(file).contains(#"{"end":true,"inputs":"#))
        #expect(ending.errors.contains(file))

        let server = url + ProtocolVersion.sessionPath
        let replayed = try ProbeTests.run(["replay", file, "--url", server])
        #expect(replayed.status == 0, "\(replayed.output)")
        let refused = try ProbeTests.run(["replay", file])
        #expect(refused.status == 2 && refused.output.isEmpty)
        #expect(refused.errors.contains("was recorded between a client and a server"))
        let drawn = try ProbeTests.run(["plot", "session", file])
        #expect(drawn.status == 0 && drawn.output.contains("<svg"))

        let copy = try TemporaryFile("session-copy.scenario")
        let made = try ProbeTests.run(["new-scenario", file, "--output", copy.path, "--json"])
        #expect(made.status == 0, "\(made.errors)")
        #expect(try JSONValue(parsing: made.output)["file"] == .string(copy.path))
        let passed = try ProbeTests.run(["run", "--url", server, copy.path])
        #expect(passed.status == 0, "\(passed.output)")
        withExtendedLifetime(daemon) {}
    }

    @Test("A scenario of a recorded session fails on a daemon that answers differently")
    func different() throws {
        let (daemon, url) = try Self.daemon()
        let recorder = try RunningRecorder(url)
        let scenario = try TemporaryFile("pull.scenario", JournalTests.session)
        _ = try ProbeTests.run(["run", "--url", recorder.session, scenario.path])
        _ = recorder.stop()
        let copy = try TemporaryFile("session-copy.scenario")
        let made = try ProbeTests.run([
            "new-scenario", try #require(recorder.listed), "--output", copy.path,
        ])
        #expect(made.status == 0, "\(made.errors)")
        let (other, otherURL, files) = try ReplayTests.daemon()
        let failed = try ProbeTests.run(["run", "--url", otherURL, copy.path])
        #expect(failed.status == 1)
        #expect(failed.output.contains("count: "), "\(failed.output)")
        withExtendedLifetime((daemon, other, files)) {}
    }

    @Test("The request and the closes of a client reach the server, and those of the server it")
    func passedOn() async throws {
        let server = try ObservingServer()
        let recorder = try RunningRecorder(server.url + "/?first=1")
        let (client, dialer) = try await Self.client(
            of: recorder, path: "/a%20b/c?key=x%2Fy%26z&%2B=+", subprotocol: "refresh.watch.v1",
            origin: "http://example.org", authorization: "Bearer abc")
        client.send("hé")
        #expect(await client.receive(within: .seconds(60)).text == "hé")
        let upgrade = try #require(server.observed.upgrades.first)
        #expect(upgrade.path == "/a b/c" && upgrade.arguments == ["first=1", "key=x/y&z", "+= "])
        #expect(upgrade.subprotocols == ["refresh.watch.v1"])
        #expect(upgrade.origin == "http://example.org")
        #expect(upgrade.authorization == "Bearer abc")
        client.close(code: 4_001, reason: "wéll")
        #expect(JournalTests.eventually { server.observed.closes == ["4001 wéll"] })

        let (second, secondDialer) = try await Self.client(of: recorder, subprotocol: nil)
        second.send("close 4102")
        let closed = await Self.end(of: second)
        #expect(closed == .closed(code: 4_102, reason: "as asked"))
        #expect(server.observed.upgrades.last?.subprotocols == [])
        let (third, thirdDialer) = try await Self.client(of: recorder)
        third.send("cut")
        let cut = await Self.end(of: third)
        #expect(cut == .closed(code: 1_006, reason: ""))
        let ending = recorder.stop(SIGINT)
        #expect(ending.output.hasPrefix("3 connections, "), "\(ending.output)")
        #expect(recorder.text.contains(#""out":"close","code":4102,"reason":"as asked""#))
        for dialer in [dialer, secondDialer, thirdDialer] { dialer.stop() }
    }

    @Test(
        "Credentials are masked, unless the recorder is asked to keep them",
        arguments: [false, true])
    func masked(keepsTokens: Bool) async throws {
        let (daemon, url) = try Self.daemon()
        let recorder = try RunningRecorder(url, keepsTokens ? ["--keep-tokens"] : [])
        let (client, dialer) = try await Self.client(
            of: recorder, path: ProtocolVersion.sessionPath + "?key=secret1")
        client.send(
            #"{"type":"hello","protocol":1,"token":"secret2","headers":{"Cookie":"secret3"}}"#)
        let welcome = try JSONValue(
            parsing: try #require(await client.receive(within: .seconds(60)).text))
        let resumeToken = try #require(welcome["token"]?.string)
        client.terminate()
        #expect(recorder.records(#"{"end":true"#))
        for secret in ["secret1", "secret2", "secret3", resumeToken] {
            #expect(recorder.text.contains(secret) == keepsTokens, "\(recorder.text)")
        }
        #expect(!recorder.log.contains("secret"))
        dialer.stop()
        withExtendedLifetime(daemon) {}
    }

    @Test("If the server cannot be reached or refuses, the client is closed with 1014")
    func unreachable() throws {
        let recorder = try RunningRecorder("ws://127.0.0.1:1")
        // libwebsockets, and so the dialer, reports the code 1014 as 1002.
        let socket = try Self.socket(of: recorder)
        socket.sendText(Self.hello)
        #expect(socket.readClose() == 1_014)
        let ending = recorder.stop()
        #expect(ending.errors.contains("connection 1: the server cannot be reached"))
        #expect(ending.output.contains("; the server was not reached for 1 connection\n"))
        #expect(recorder.text.contains(#""in":"closed""#))

        let (daemon, url) = try Self.daemon()
        let strict = try RunningRecorder(url + "/nowhere")
        let refused = try Self.socket(of: strict)
        #expect(refused.readClose() == 1_014)
        #expect(strict.log.contains("the server refused the upgrade with the status 404"))
        withExtendedLifetime(daemon) {}
    }

    @Test(
        "Binary frames and long frames reach the daemon, whose faults and closes reach the client")
    func unusualFrames() async throws {
        let (daemon, url) = try Self.daemon()
        let recorder = try RunningRecorder(url)
        let (client, dialer) = try await Self.client(of: recorder)
        client.send(Self.hello)
        client.send([1, 2, 255], isBinary: true)
        client.send(String(repeating: "x", count: 100_000))
        let closed = await Self.end(of: client)
        #expect(closed == .closed(code: 1_009, reason: "messageTooBig"))
        #expect(recorder.records(#"{"end":true"#))
        #expect(recorder.text.contains(#","in":"binary","#))
        #expect(recorder.text.contains(#""out":"close","code":1009"#))

        let (huge, other) = try await Self.client(of: recorder)
        huge.send([UInt8](repeating: 0x20, count: 17_000_000), isBinary: false)
        let end = await Self.end(of: huge)
        #expect(end == .closed(code: 1_009, reason: "message too big"))
        #expect(recorder.logs("connection 2: a message of the client is refused"))
        dialer.stop()
        other.stop()
        withExtendedLifetime(daemon) {}
    }

    @Test("If the client or the daemon is cut, the other side is cut, and the journal is complete")
    func cut() async throws {
        let (daemon, url) = try Self.daemon()
        let recorder = try RunningRecorder(url)
        let (gone, dialer) = try await Self.client(of: recorder)
        gone.send(Self.hello)
        #expect(await gone.receive(within: .seconds(60)).text != nil)
        gone.terminate()
        #expect(recorder.records(#"{"end":true"#))

        let (client, other) = try await Self.client(of: recorder)
        client.send(Self.hello)
        #expect(await client.receive(within: .seconds(60)).text != nil)
        daemon.send(SIGKILL)
        let end = await Self.end(of: client)
        #expect(end == .closed(code: 1_006, reason: ""))
        #expect(recorder.logs("connection 2: the server cut the connection"))
        let ending = recorder.stop()
        #expect(ending.status == 0)
        let ends = recorder.files.map { JournalTests.text($0).contains(#"{"end":true,"#) }
        #expect(ends == [true, true])
        for file in recorder.files {
            #expect(try ProbeTests.run(["new-scenario", file]).status == 0)
        }
        dialer.stop()
        other.stop()
    }

    @Test("Everything arrives in order at a client that reads late, and the recorder stays small")
    func slowClient() throws {
        let server = try ObservingServer()
        let recorder = try RunningRecorder(server.url)
        let socket = try Self.socket(of: recorder, receiveBufferBytes: 4_096)
        let memory = recorder.peakMemoryKiB
        let count = 2_000
        var made = 0
        var outgoing: ArraySlice<UInt8> = []
        /// Sends a part of the frames. Returns false if the kernel accepts no bytes in time.
        func send(timeoutMs: Int32) -> Bool {
            if outgoing.isEmpty, made < count {
                outgoing = Self.binaryFrame(made)[...]
                made += 1
            }
            guard !outgoing.isEmpty else { return false }
            let sent = socket.sendSome(outgoing, timeoutMs: timeoutMs)
            outgoing = outgoing.dropFirst(sent)
            return sent > 0
        }
        // The client does not read, so at some time each side waits for the other.
        while send(timeoutMs: 500) {}
        #expect(made < count)
        for index in 0..<count {
            while send(timeoutMs: 0) {}
            let text = try #require(socket.readText())
            try #require(text.hasPrefix("\(index):") && text.utf8.count == Self.longBytes)
        }
        // All frames together have 100 MB.
        #expect(recorder.peakMemoryKiB - memory < 40_000)
        _ = recorder.stop()
        #expect(recorder.text.count { $0 == "\n" } == count + 3)
    }

    private static let longBytes = 50_000

    /// Returns a masked binary frame whose payload begins with its number. The recorder does not
    /// record the content of binary frames.
    private static func binaryFrame(_ number: Int) -> [UInt8] {
        let text = "\(number):"
        var frame = PlainSocket.frame(
            text + String(repeating: "y", count: longBytes - text.utf8.count))
        frame[0] = 0x82
        return frame
    }

    @Test("No file is overwritten, and each further connection has a file with its number")
    func files() async throws {
        let server = try ObservingServer()
        let recorder = try RunningRecorder(server.url, file: "pull.jsonl", ["--json"])
        for _ in 1...2 {
            let (client, dialer) = try await Self.client(of: recorder)
            client.send("x")
            #expect(await client.receive(within: .seconds(60)).text == "x")
            dialer.stop()
        }
        let summary = try JSONValue(parsing: recorder.stop().output)
        let files = summary["files"]?.array?.compactMap(\.string) ?? []
        #expect(
            files.map { URL(filePath: $0).lastPathComponent } == ["pull.jsonl", "pull-2.jsonl"])
        #expect(files.sorted() == recorder.files.sorted())
        #expect(summary["clientFrames"] == .number(2) && summary["complete"] == .bool(true))
        let again = try ProbeTests.run([
            "record", "--listen", "127.0.0.1:0", "--forward", server.url, "--journal", files[0],
        ])
        #expect(again.status == 2 && again.errors.contains("exists already"))
    }

    @Test("If the command line is wrong or a place cannot be used, the status says why")
    func wrongUse() throws {
        let url = "ws://127.0.0.1:1"
        let folder = try TemporaryFile("journals")
        let good = ["--listen", "127.0.0.1:0", "--forward", url, "--journal", folder.path]
        for arguments in [
            Array(good.dropLast(2)), Array(good.dropFirst(2)), good + ["--ca", "x"],
            ["--listen", "here:1"] + good.dropFirst(2),
            good.dropLast() + ["/nonexistent/pull.jsonl"],
        ] {
            let ending = try ProbeTests.run(["record"] + arguments)
            #expect(ending.status == 2 && ending.output.isEmpty, "\(arguments) \(ending.errors)")
        }
        let taken = try ListeningSocket.openExclusive(host: "127.0.0.1", port: 0)
        let ending = try ProbeTests.run(
            ["record", "--listen", "127.0.0.1:\(taken.port)"] + good.dropFirst(2))
        #expect(ending.status == 3 && ending.errors.contains("the address is in use"))
        taken.close()
    }
}
