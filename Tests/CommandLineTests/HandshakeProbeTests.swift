import Conformance
import Foundation
import Testing
import Workbench

/// Probes of the WebSocket handshake and of frames, run against the built daemon.
@Suite("Handshake probes", .ownThread, .limit)
struct HandshakeProbeTests {
    /// The identifiers of the probes from which the daemon knowingly deviates. Source:
    /// docs/threat-model.md.
    private static let known: Set = ["frames-unmasked"]

    @Test("Each probe has a unique name and a reference to a file in docs/")
    func values() {
        let probes = HandshakeProbe.all
        #expect(Set(probes.map(\.id)).count == probes.count)
        #expect(probes.count >= 25)
        for probe in probes {
            #expect(probe.reference.hasPrefix("docs/"), "\(probe.id)")
            #expect(!probe.expectation.isEmpty && !probe.description.isEmpty)
        }
    }

    @Test("The daemon passes all probes, except for the documented deviations")
    func daemon() throws {
        let file = try Refreshd.configuration(
            "limits: { headTimeoutMs: 2000, helloTimeoutMs: 4000 }\n")
        defer { try? FileManager.default.removeItem(at: file) }
        let daemon = try RunningDaemon(["--listen", "127.0.0.1:0", "--config", file.path])
        let first = try JSONSerialization.jsonObject(with: Data(#require(daemon.firstLine()).utf8))
        let port = try #require((first as? [String: Any])?["port"] as? UInt16)
        let run = HandshakeRun(
            host: "127.0.0.1", port: port, path: "/v1/session", timeoutMs: 60_000)
        for probe in HandshakeProbe.all where probe.awaitedLimit != "idleTimeoutMs" {
            let result = run.run(probe)
            let expected: HandshakeRun.Verdict =
                Self.known.contains(probe.id) ? .deviates : .passed
            #expect(result.verdict == expected, "\(probe.id): the daemon \(result.outcome)")
        }
        // The daemon still works after all probes: one of them passes again.
        let again = try #require(HandshakeProbe.all.first { $0.id == "handshake-no-origin" })
        #expect(run.run(again).verdict == .passed)
        daemon.send(SIGTERM)
        #expect(daemon.waitForEnd().status == 0)
    }

    @Test("The probe `frames-mute` fails if the server does not disconnect a silent client")
    func mute() throws {
        let probe = try #require(HandshakeProbe.all.first { $0.id == "frames-mute" })
        #expect(probe.awaitedLimit == "idleTimeoutMs")
        func result(_ arguments: [String], timeoutMs: Int) throws -> HandshakeRun.Result {
            let daemon = try RunningDaemon(["--listen", "127.0.0.1:0"] + arguments)
            let line = try #require(daemon.firstLine())
            let first = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let port = try #require((first as? [String: Any])?["port"] as? UInt16)
            let run = HandshakeRun(
                host: "127.0.0.1", port: port, path: "/v1/session", timeoutMs: timeoutMs)
            return run.run(probe)
        }
        let file = try Refreshd.configuration("limits: { idleTimeoutMs: 500 }\n")
        defer { try? FileManager.default.removeItem(at: file) }
        let right = try result(["--config", file.path], timeoutMs: 60_000)
        #expect(right.verdict == .passed && right.outcome == .closed(4105))
        // By default, the idle timeout is an hour, so this server does not disconnect the client in
        // time.
        let wrong = try result([], timeoutMs: 700)
        #expect(wrong.verdict == .failed && wrong.outcome == .silent)
    }

    @Test("If there is no server, every probe fails")
    func noServer() {
        let run = HandshakeRun(host: "127.0.0.1", port: 1, path: "/v1/session")
        for probe in HandshakeProbe.all {
            let result = run.run(probe)
            #expect(result.verdict == .failed && result.outcome == .unreachable, "\(probe.id)")
        }
    }

    @Test("A server that answers a slow request head, but not with 408, fails `handshake-slow`")
    func slowHeadStatus() throws {
        let server = try LocalServer(answersBeforeRequest: true) { exchange in
            exchange.reply(400, "")
            exchange.endSending()
            exchange.waitForHangUp()
        }
        let probe = try #require(HandshakeProbe.all.first { $0.id == "handshake-slow" })
        let run = HandshakeRun(
            host: "127.0.0.1", port: server.port, path: "/v1/session", timeoutMs: 500)
        let result = run.run(probe)
        #expect(result.verdict == .failed && result.outcome == .status(400))
    }

    @Test("A server with one answer for all requests fails each probe that tests no time limit")
    func alike() throws {
        let server = try LocalServer { $0.reply(200, "") }
        let run = HandshakeRun(
            host: "127.0.0.1", port: UInt16(server.port), path: "/v1/session", timeoutMs: 500)
        let probes = HandshakeProbe.all.filter { $0.awaitedLimit == nil }
        let failed = probes.filter { run.run($0).verdict == .failed }
        #expect(failed.count == probes.count)
    }
}
