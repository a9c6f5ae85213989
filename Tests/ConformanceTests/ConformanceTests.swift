import Conformance
import Foundation
import ScenarioKit
import Testing
import Workbench

/// The conformance suite itself: that its cases are well formed, that a right server passes, and
/// that each of many mistakes is caught.
@Suite("The conformance suite")
struct ConformanceTests {
    @Test("Its files can be read, and each case has a number of its own")
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

    @Test("It asks for at least 150 statements of the protocol's page, each once")
    func statements() {
        let stated = ConformanceSuite.cases.filter {
            $0.reference.hasPrefix("docs/protocol.md#")
        }
        let statements = Set(stated.map(\.description))
        #expect(statements.count >= 150)
        #expect(statements.count == stated.count, "a statement is asked for twice")
    }

    @Test("Every reference is a section of its page")
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

    @Test("Each mistake of what a server says is caught", arguments: ServerMistake.said)
    func caughtSaying(mistake: ServerMistake) async throws {
        try await expectCaught(mistake, by: InProcess.stage(mistake), InProcess.cases)
    }

    @Test("Each mistake of what a server hears is caught", arguments: ServerMistake.heard)
    func caughtHearing(mistake: ServerMistake) async throws {
        try await expectCaught(mistake, by: InProcess.stage(mistake), InProcess.cases)
    }

    @Test(
        "Each mistake in the numbers that a server says is caught", arguments: ServerMistake.numbers
    )
    func caughtInNumbers(mistake: ServerMistake) async throws {
        try await expectCaught(mistake, by: InProcess.stage(mistake), InProcess.cases)
    }

    @Test(
        "Each option that is told back and not heeded is caught", arguments: ServerMistake.options)
    func caughtInOptions(mistake: ServerMistake) async throws {
        try await expectCaught(mistake, by: InProcess.stage(mistake), InProcess.cases)
    }

    @Test("Each mistake of a server that is come back to is caught", .limit)
    func caughtResuming() async throws {
        let daemon = try ConformanceDaemon()
        // What is waited for in real time is waited for by the check `conform`.
        let cases = ConformanceSuite.cases.filter { $0.group == .resume && $0.patienceMs == 0 }
        // The machine may be crowded: only who makes a mistake is given up soon.
        for result in try await run(daemon.stage(), cases, patienceMs: 30_000) {
            #expect(result.verdict == .passed, "\(result.subject.id): \(result.reason ?? "")")
        }
        for mistake in ServerMistake.resuming {
            try await expectCaught(mistake, by: daemon.stage(mistake), cases)
        }
    }

    @Test("Each mistake below the messages is caught, and what is not announced is not asked for")
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

    @Test("There are mistakes of every kind, at least 30, each with a name of its own")
    func mistakes() {
        let all =
            ServerMistake.said + ServerMistake.heard + ServerMistake.numbers + ServerMistake.options
            + ServerMistake.resuming + ServerMistake.below
        #expect(all.count >= 30)
        #expect(Set(all.map(\.name)).count == all.count)
    }

    private func expectCaught(
        _ mistake: ServerMistake, by stage: ServerUnderTest, _ cases: [ConformanceCase]
    ) async throws {
        let asked = cases.filter {
            mistake.cases.isEmpty
                ? mistake.groups.contains($0.group) : mistake.cases.contains($0.id)
        }
        // A probe that waits for what does not come waits all its time.
        let isProbe = asked.allSatisfy { subject in
            if case .probe = subject.body { true } else { false }
        }
        let results = try await run(stage, asked, patienceMs: isProbe ? 500 : 5_000)
        let caught = results.filter { $0.verdict == .failed || $0.verdict == .nonStrict }
        #expect(
            mistake.isHarmless ? !caught.isEmpty : caught.contains { $0.verdict == .failed },
            "nobody notices a server that \(mistake.name)")
        print("a server that \(mistake.name): \(caught.map(\.subject.id).joined(separator: " "))")
    }

    private func run(
        _ stage: ServerUnderTest, _ cases: [ConformanceCase], patienceMs: Double = 5_000
    ) async throws -> [CaseResult] {
        let runner = try await ConformanceRunner(stage, patienceMs: patienceMs)
        return await runner.run(cases, atOneTime: 8)
    }
}
