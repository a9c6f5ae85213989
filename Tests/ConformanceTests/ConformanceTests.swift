import Conformance
import Foundation
import RefreshProtocol
import ScenarioBench
import ScenarioKit
import Testing
import Workbench

/// Tests of the conformance suite itself. The cases must be well formed, a correct server must pass
/// them, and they must catch each of many mistakes of a server.
@Suite("The conformance suite")
struct ConformanceTests {
    @Test("The files of the suite can be parsed, and each case has a unique number")
    func files() {
        #expect(ConformanceSuite.parseErrors == [])
        let ids = ConformanceSuite.cases.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(Set(ConformanceSuite.cases.map(\.name)).count == ids.count)
        #expect(Set(ConformanceSuite.cases.map(\.group)) == Set(ConformanceGroup.allCases))
        for subject in ConformanceSuite.cases {
            #expect(!subject.description.isEmpty && !subject.expectation.isEmpty)
        }
    }

    @Test("The suite tests at least 150 statements of docs/protocol.md, each in exactly one case")
    func statements() {
        let stated = ConformanceSuite.cases.filter {
            $0.reference.hasPrefix("docs/protocol.md#")
        }
        let statements = Set(stated.map(\.description))
        #expect(statements.count >= 150)
        #expect(statements.count == stated.count, "a statement occurs twice")
    }

    @Test("Every reference names a page in docs/ and, if it has an anchor, a section of that page")
    func references() throws {
        var anchors: [String: Set<String>] = [:]
        for subject in ConformanceSuite.cases {
            let parts = subject.reference.split(separator: "#").map(String.init)
            let page = try #require(parts.first)
            let known = try anchors[page] ?? PageAnchors.of(page)
            anchors[page] = known
            if parts.count > 1 {
                #expect(known.contains(parts[1]), "\(subject.id): \(subject.reference)")
            }
        }
    }

    @Test("A session in process passes every case that needs no sockets")
    func inProcess() async throws {
        let results = try await run(InProcess.stage(), InProcess.cases)
        for result in results where result.verdict == .failed || result.verdict == .nonStrict {
            Issue.record("\(result.subject.id) \(result.subject.name): \(result.reason ?? "")")
        }
        #expect(results.count { $0.verdict == .passed } >= 200)
    }

    @Test("The clients of the suite have no mistakes, except in the case about missing fields")
    func clientMistakes() async throws {
        let feed = try SimulatedFeed.demo()
        var found: [String: [DiagnosticCode]] = [:]
        for subject in InProcess.cases {
            let log = MistakeLog()
            let stage = ServerUnderTest {
                let peer = SessionPeer(feeds: [feed] + SimulatedFeed.catalogues, latencyMs: 20)
                return MistakePeer(peer, log)
            }
            _ = try await run(stage, [subject])
            if !log.mistakes.isEmpty { found[subject.name] = log.mistakes }
        }
        #expect(found == ["missing-field": [.sequenceMissing]])
    }

    /// The mistakes of a server that cases without sockets can detect.
    private static let mistakesInProcess =
        ServerMistake.sentMistakes + ServerMistake.receivedMistakes + ServerMistake.numbers
        + ServerMistake.options + ServerMistake.features + ServerMistake.unread
        + ServerMistake.lists + ServerMistake.patches + ServerMistake.live
        + ServerMistake.edits + ServerMistake.rows + ServerMistake.sections

    @Test(
        "Each mistake in messages, numbers, options, features and lists is caught",
        arguments: mistakesInProcess)
    func caught(mistake: ServerMistake) async throws {
        try await expectCaught(mistake, by: InProcess.stage(mistake), InProcess.cases)
    }

    @Test("The cases of features are skipped if the server has no features")
    func withoutFeatures() async throws {
        let mistake = ServerMistake(
            "has no features", in: .session,
            receivedChange: { message, _ in [message.with { $0["features"] = nil }] })
        let cases = InProcess.cases.filter {
            ["paging-32", "pull-76", "session-54"].contains($0.id)
        }
        let results = try await run(InProcess.stage(mistake), cases)
        #expect(results.map(\.verdict) == [.skipped, .skipped, .skipped])
        #expect(
            Set(results.map { $0.reason ?? "" }) == [
                "not offered: features of clients", "not offered: the feature query",
            ])
    }

    /// The cases about items of sessions that resume.
    private static let resumingItems = [
        "patches-10", "patches-11", "live-25", "live-26", "edits-35", "edits-36", "rows-36",
        "rows-37", "session-74",
    ]

    @Test("Each mistake in how a server resumes sessions is caught", .limit)
    func caughtResuming() async throws {
        let daemon = try ConformanceDaemon()
        // The cases that wait in real time are omitted here. The check `conform` runs them.
        let cases = ConformanceSuite.cases.filter {
            ([.resume, .unread].contains($0.group) && $0.durationMsMin == 0)
                || Self.resumingItems.contains($0.id)
        }
        // The machine may be busy, so the correct server gets more time than a server with a
        // mistake.
        for result in try await run(daemon.stage(), cases, timeoutMs: 30_000) {
            #expect(result.verdict == .passed, "\(result.subject.id): \(result.reason ?? "")")
        }
        for mistake in ServerMistake.resuming + ServerMistake.unreadAfterResume
            + ServerMistake.patchesAfterResume + ServerMistake.liveAfterResume
            + ServerMistake.editsAfterResume + ServerMistake.rowsAfterResume
            + ServerMistake.sectionsAfterResume
        {
            try await expectCaught(mistake, by: daemon.stage(mistake), cases)
        }
    }

    @Test(
        "Each mistake in the WebSocket connection is caught, and a case with unmet needs is skipped"
    )
    func caughtBelow() async throws {
        let daemon = try ConformanceDaemon()
        for mistake in ServerMistake.below {
            try await expectCaught(mistake, by: daemon.stage(mistake), ConformanceSuite.cases)
        }
        let mute = ConformanceSuite.cases.filter { $0.name == "frames-mute" }
        let results = try await run(daemon.stage(), mute)
        #expect(results.map(\.verdict) == [.skipped])
        #expect(results.first?.reason == "not offered: idleTimeoutMs of at most 20000")
    }

    @Test("There are at least 30 mistakes, each with a unique name")
    func mistakes() {
        let all =
            Self.mistakesInProcess + ServerMistake.resuming + ServerMistake.unreadAfterResume
            + ServerMistake.below
        #expect(all.count >= 30)
        #expect(Set(all.map(\.name)).count == all.count)
    }

    private func expectCaught(
        _ mistake: ServerMistake, by stage: ServerUnderTest, _ cases: [ConformanceCase]
    ) async throws {
        let selected = cases.filter {
            mistake.cases.isEmpty
                ? mistake.groups.contains($0.group) : mistake.cases.contains($0.id)
        }
        // If a mistake suppresses the reaction for which a probe waits, the probe waits for its
        // whole time limit. So probes have a short limit.
        let isProbe = selected.allSatisfy { subject in
            if case .probe = subject.body { true } else { false }
        }
        let results = try await run(stage, selected, timeoutMs: isProbe ? 500 : 5_000)
        let caught = results.filter { $0.verdict == .failed || $0.verdict == .nonStrict }
        #expect(
            mistake.isHarmless ? !caught.isEmpty : caught.contains { $0.verdict == .failed },
            "no case catches a server that \(mistake.name)")
        print("a server that \(mistake.name): \(caught.map(\.subject.id).joined(separator: " "))")
    }

    private func run(
        _ stage: ServerUnderTest, _ cases: [ConformanceCase], timeoutMs: Double = 5_000
    ) async throws -> [CaseResult] {
        let runner = try await ConformanceRunner(stage, timeoutMs: timeoutMs)
        return await runner.run(cases, atOneTime: 8)
    }
}
