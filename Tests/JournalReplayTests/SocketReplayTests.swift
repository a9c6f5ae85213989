import RefreshProtocol
import RefreshSession
import ScenarioBench
import Testing
import WebSocketTransport
import Workbench

@testable import JournalReplay

@Suite("Replay over a socket", .limit)
struct SocketReplayTests {
    private static let hello = #"{"type":"hello","protocol":1}"#
    private static let welcome = #"{"type":"welcome","protocol":1,"session":"there"}"#
    private static let load = #"{"type":"load","view":"v","load":"1.1","page":1}"#
    private static let finished =
        #"{"type":"loadFinished","view":"v","load":"1.1","result":"success"}"#
    private static let pong = #"{"type":"pong","t":1,"time":5,"ack":0}"#

    /// The recorded session of a client that loads items itself and reports the results.
    private static let lines: [JournalLine] = [
        .header(header), receivedLine(hello, 1_000), sentLine(welcome), sentLine(load),
        receivedLine(finished, 3_000), sentLine(pong),
        .input(at: Instant(microseconds: 9_000), .closed),
    ]

    private static let header = JournalHeader(
        started: "2026-11-21T12:00:00Z", at: Instant(microseconds: 0), session: "here",
        key: SessionKey(loop: 0, slot: 0, generation: 1), limits: Limits(), feeds: [])

    private static func receivedLine(_ text: String, _ at: Int64) -> JournalLine {
        .input(at: Instant(microseconds: at), .frame(Array(text.utf8)))
    }

    private static func sentLine(_ text: String) -> JournalLine {
        .output(.frame(Array(text.utf8)))
    }

    /// Replays `lines` to a server that sends `answers`.
    private static func play(
        _ lines: [JournalLine], to answers: [String: [ScriptedServer.Answer]],
        timeoutMs: Double = 20_000, token: String? = nil
    ) async throws -> ReplayVerdict {
        let server = try ScriptedServer(answers)
        let dialer = try Dialer()
        defer {
            dialer.stop()
            server.stop()
        }
        let replay = SocketReplay(
            url: server.url, dialer: dialer, timeoutMs: timeoutMs, token: token)
        return try await replay.play(try replay.journal(journal(lines)))
    }

    private static func difference(_ verdict: ReplayVerdict) -> ReplayDifference? {
        guard case .difference(let difference) = verdict.problem else { return nil }
        return difference
    }

    @Test("The replay uses the server's load names instead of the recorded load names")
    func renamed() async throws {
        let verdict = try await Self.play(
            Self.lines,
            to: [
                Self.hello: [
                    .text(Self.welcome), .text(Self.load.replacing("1.1", with: "other")),
                ],
                Self.finished.replacing("1.1", with: "other"): [.text(Self.pong)],
            ])
        #expect(verdict.isIdentical, "\(verdict.text)")
        #expect(verdict.text.hasPrefix("2 frames sent, 3 outputs, as recorded"))
        #expect(verdict.json["verdict"] == .string("agreeing"))
    }

    @Test("If an output does not arrive within the limit, the difference contains no actual value")
    func missing() async throws {
        let verdict = try await Self.play(
            Self.lines, to: [Self.hello: [.text(Self.welcome)]], timeoutMs: 200)
        let difference = try #require(Self.difference(verdict))
        #expect(difference.line == 4 && difference.replayed == nil)
        #expect(difference.recorded == Self.load)
        #expect(difference.cause?.text == Self.hello && difference.cause?.line == 2)
        #expect(difference.field.got == nil)
        #expect(verdict.inputs == 1 && verdict.outputs == 1)
        #expect(difference.context.recorded.map(\.differs) == [false, false, true, false, false])
        #expect(difference.context.replayed.allSatisfy { !$0.differs })
        #expect(verdict.text.contains("\n  replayed  nothing"))
    }

    @Test("A server that sends nothing at all is reported within the limit")
    func silent() async throws {
        let error = await #expect(throws: SocketReplay.Unreachable.self) {
            try await Self.play(Self.lines, to: [:], timeoutMs: 200)
        }
        #expect(error?.reason.contains("does not answer: nothing was received within") == true)
    }

    @Test("A server that disconnects early is reported at once")
    func hangsUp() async throws {
        let verdict = try await Self.play(
            Self.lines, to: [Self.hello: [.text(Self.welcome), .close(4_100)]],
            timeoutMs: 3_600_000)
        let difference = try #require(Self.difference(verdict))
        #expect(difference.replayed == "(closes with 4100: as scripted)")
        #expect(difference.field.got?["close"]?["code"] == .number(4_100), "\(verdict.text)")
    }

    @Test("An output after the last recorded one is a difference without a line number")
    func surplus() async throws {
        let verdict = try await Self.play(
            Self.lines.dropLast() + [
                .input(at: Instant(microseconds: 30_000_000), .closed)
            ],
            to: [
                Self.hello: [.text(Self.welcome), .text(Self.load)],
                Self.finished: [.text(Self.pong), .text(#"{"type":"bye"}"#)],
            ])
        let difference = try #require(Self.difference(verdict))
        #expect(difference.line == nil && difference.replayed == #"{"type":"bye"}"#)
        #expect(verdict.text.hasPrefix("nothing was recorded, "))
        #expect(verdict.json["line"] == .null && verdict.json["recorded"] == .null)
    }

    @Test("The given token replaces a token of asterisks. Other values of asterisks are omitted")
    func token() async throws {
        let masked =
            #"{"type":"hello","protocol":1,"token":"***","headers":{"cookie":"**","x":"y"}}"#
        let real = #"{"type":"hello","protocol":1,"token":"mine","headers":{"x":"y"}}"#
        let lines = [Self.lines[0], Self.receivedLine(masked, 0), Self.sentLine(Self.welcome)]
        let verdict = try await Self.play(
            lines, to: [real: [.text(Self.welcome)]], token: "mine")
        #expect(verdict.isIdentical, "\(verdict.text)")
    }

    @Test("A line that cannot be replayed to a server is reported before anything is sent")
    func unplayable() throws {
        let dialer = try Dialer()
        defer { dialer.stop() }
        let replay = SocketReplay(url: "ws://127.0.0.1:1", dialer: dialer)
        let at = Instant(microseconds: 5)
        let inputs: [(SessionInput, String)] = [
            (.frame(Array(#"{"type":"hello","token":"***"}"#.utf8)), "--token"),
            (.frame(Array(#"[{"type":"hello","resume":{}}]"#.utf8)), "`resume`"),
            (.changed(feed: "packages"), "`changed`"), (.draining(closesMs: 5), "`draining`"),
            (.end(.draining), "`end`"), (.refused(.unknownSession), "older"),
        ]
        for (input, expected) in inputs {
            let lines = [Self.lines[0], .input(at: at, input)]
            let error = #expect(throws: JournalUnusable.self) {
                try replay.journal(journal(lines))
            }
            let reason = error?.description ?? ""
            #expect(
                reason.hasPrefix("line 2 needs something that a server at a URL cannot provide: "),
                "\(reason)")
            #expect(reason.contains(expected), "\(reason)")
        }
    }
}
