import Foundation
import RefreshProtocol
import Testing
import Workbench

@testable import ScenarioKit

/// Executes each row of the table of rules in docs/control-law.md with the `stream` client and the
/// `local` client, which follow these rules.
@Suite("The rules of the control law as a table")
struct LawTableTests {
    /// A row of the table.
    struct Row: Sendable, CustomTestStringConvertible {
        var sample: String
        var stream: String
        var local: String
        var rules: [Int]

        var testDescription: String { sample }
    }

    /// A step of a client: a sample, a frame without movement, or another message.
    private enum Step {
        case sample(HandSample)
        case tick(Double)
        case message(Double)
    }

    /// What happens before the sample of a row, and the sample. `silent` states that a `local`
    /// client sends nothing for the step before it.
    private struct Script {
        var name = ""
        var law = ""
        var offset = 500.0
        var before: [Step] = []
        var silent = false
        var step: Step
    }

    // MARK: The page

    private static func section(_ heading: String) throws -> String {
        let page = try ContractFiles.text("docs/control-law.md")
        return try #require(
            page.components(separatedBy: "\n## ").first { $0.hasPrefix(heading + "\n") })
    }

    private static func rows() throws -> [Row] {
        try section("The rules as a table").split(separator: "\n")
            .filter { $0.hasPrefix("| ") }.dropFirst().map { line in
                let cells = line.split(separator: "|").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
                try #require(cells.count == 4, "\(line)")
                return Row(
                    sample: cells[0], stream: cells[1],
                    local: cells[2] == "the same" ? cells[1] : cells[2],
                    rules: cells[3].split(separator: ", ").compactMap { Int($0) })
            }
    }

    // MARK: The scripts

    private static func at(
        _ t: Double, _ offset: Double, _ phase: ScrollPhase, _ cause: Cause = .finger
    ) -> Step {
        .sample(HandSample(t: t, .offset(offset), phase: phase, cause: cause))
    }

    private static func pan(_ t: Double, _ travel: Double, _ phase: ScrollPhase) -> Step {
        .sample(HandSample(t: t, .travel(travel), phase: phase))
    }

    private static let follow = #""follow":[[895,905]]"#
    /// A movement that both clients have reported, at an offset in `follow`.
    private static let reported = [at(0, 900, .began)]
    private static let resistance = #""resistance":{"top":[[0,0],[100,50]]}"#

    /// The scripts of each row, by the first cell of the row.
    private static let scripts: [String: [Script]] = [
        "its cause is not `finger`, in": [
            Script(
                before: [at(0, 880, .decelerating, .wheel)],
                step: at(16, 900, .decelerating, .wheel))
        ],
        "it is the `idle` of a program's movement, at an offset that is not the known one, "
            + "and the first outside":
            [Script(offset: 900, step: at(0, 500, .idle, .code))],
        "`ended`, `cancelled` or `idle` of a reported movement, at any offset":
            [ScrollPhase.ended, .cancelled, .idle].map { phase in
                Script(
                    law: follow, offset: 900,
                    before: reported + [at(16, 800, .dragging), at(32, 700, .dragging)],
                    silent: true, step: at(48, 690, phase))
            },
        "any other, outside, and not the first outside": [
            Script(
                name: "scroll", law: follow, offset: 900,
                before: reported + [at(16, 800, .dragging)], step: at(32, 700, .dragging)),
            Script(
                name: "pan", law: resistance,
                before: [pan(0, 0, .began), pan(16, -10, .dragging)], silent: true,
                step: pan(32, -20, .dragging)),
        ],
        "the first outside, if the movement is reported": [
            Script(law: follow, offset: 900, before: reported, step: at(16, 800, .dragging))
        ],
        "a finger enters, and its movement is not reported": [
            Script(
                before: [at(0, 500, .began), at(16, 600, .dragging), at(32, 610, .ended)],
                silent: true, step: at(48, 890, .decelerating))
        ],
        "in, on another side of a crossing than the known offset": [
            Script(
                law: #""crossings":[950]"#, offset: 900,
                before: [at(0, 900, .began), at(16, 940, .dragging)], silent: true,
                step: at(32, 960, .dragging))
        ],
        "in `follow`": [
            Script(
                law: follow, offset: 930, before: [at(0, 930, .began), at(16, 920, .dragging)],
                silent: true, step: at(32, 903, .dragging))
        ],
        "in, and the shown state of an edge would be another": [
            Script(
                offset: 0, before: [at(0, 0, .began)], silent: true, step: at(16, -30, .dragging)),
            Script(
                offset: 0,
                before: [at(0, 0, .began), at(16, -30, .dragging), at(32, -40, .dragging)],
                silent: true, step: at(48, -70, .dragging)),
        ],
        "in, and the speed arms the load-more edge by `lead`": [
            Script(
                offset: 1500,
                before: [at(0, 1500, .began), at(16, 1540, .dragging), at(32, 1580, .dragging)],
                silent: true, step: at(48, 1620, .dragging))
        ],
        "in, the list turns, and the load-more edge is `null`": [
            Script(
                law: #""bottom":null"#, offset: 1500,
                before: [
                    at(0, 1500, .began), at(16, 1520, .dragging), at(32, 1540, .dragging),
                ], silent: true, step: at(48, 1530, .dragging))
        ],
        "with `pan`, within 0.2 point of a mark, or the one after it": [
            Script(
                law: resistance, before: [pan(0, 0, .began), pan(3000, -300, .dragging)],
                silent: true, step: pan(3016, -384.1, .dragging)),
            Script(
                law: resistance, before: [pan(0, 0, .began), pan(32, -384.1, .dragging)],
                step: pan(48, -390, .dragging)),
        ],
        "in, a moving finger, nothing was sent for 2 s": [
            Script(
                law: follow, offset: 900,
                before: reported + [at(16, 950, .dragging), at(1999, 960, .dragging)],
                silent: true, step: at(2000, 970, .dragging))
        ],
        "in, a finger that rests, 2 s after the last sample": [
            Script(
                law: follow, offset: 900, before: reported + [.tick(1999)], silent: true,
                step: .tick(2000))
        ],
        "in, none of these": [
            Script(
                offset: 900, before: [at(0, 900, .began)], silent: true,
                step: at(16, 950, .dragging))
        ],
        "before another message about the view": [
            Script(
                offset: 900, before: [at(0, 900, .began), at(16, 950, .dragging)], silent: true,
                step: .message(20)),
            Script(
                name: "at rest", offset: 500,
                before: [at(0, 500, .began), at(16, 600, .ended), at(32, 610, .idle)],
                silent: true, step: .message(40)),
        ],
    ]

    /// The `attached` message with a law. `members` replace those of the law.
    private static func attached(_ members: String) throws -> JSONValue {
        var law = try JSONValue(
            parsing: #"{"rest":[0,2548],"top":{"pull":[[0,0],[-64,1]],"arm":-64,"disarm":-56,"#
                + #""fires":"release","room":64,"duration":250},"#
                + #""bottom":{"pull":[[2284,0],[2348,1]],"arm":2348,"fires":"reach","#
                + #""lead":[350,2000]},"crossings":[],"#
                + #""interest":[[null,0],[884,null]]}"#)
        if case .object(let own) = try JSONValue(parsing: "{\(members)}") {
            for member in own { law[member.name] = member.value }
        }
        var message = try JSONValue(
            parsing: #"{"type":"attached","view":"list","ack":1,"attention":"everything","#
                + #""top":{"role":"refresh","state":"idle"},"#
                + #""bottom":{"role":"loadMore","state":"idle","leadTime":350},"#
                + #""inset":{"top":0,"bottom":0,"duration":0}}"#)
        message["law"] = law
        return message
    }

    // MARK: Execution

    private static func perform(_ step: Step, _ client: inout some ThinClient) -> [JSONValue] {
        switch step {
        case .sample(let sample): client.handleSample(sample)
        case .tick(let t): client.tick(at: t)
        case .message(let t):
            client.prepareMessage(.object([.init("type", .string("refresh"))]), at: t)
        }
    }

    /// Checks what the client sends for the step of the script against a cell of the table.
    private static func check(
        _ cell: String, _ script: Script, _ client: some ThinClient, isLocal: Bool
    ) throws {
        var client = client
        client.receive(try attached(script.law), at: 0)
        var last: [JSONValue] = []
        for step in script.before { last = perform(step, &client) }
        if isLocal, script.silent { #expect(last.map(\.text) == [], "before: \(cell)") }
        let sent = perform(script.step, &client)
        let description = "\(script.name) \(cell): \(sent.map(\.text))"
        // A cell can state the effect with `scroll` and with `pan`, in this sequence.
        let parts = cell.components(separatedBy: "; with `pan` ")
        let effect = parts.count == 2 && script.name == "pan" ? parts[1] : parts[0]
        switch effect {
        case "nothing", "nothing with `scroll`": #expect(sent.isEmpty, "\(description)")
        case "sends it": expectSent(script.step, sent, description)
        case "sends it, with `predicted` if it predicts the state":
            expectSent(script.step, sent, description)
            #expect(sent.last?["predicted"] != nil, "\(description)")
        case "sends it, with `velocity`":
            expectSent(script.step, sent, description)
            #expect((sent.last?["velocity"]?.number ?? 0) > 0, "\(description)")
        case "sends `began` with the offset of the entry, then the sample":
            expectSent(script.step, sent, description)
            #expect(sent.first?["phase"]?.string == "began", "\(description)")
            #expect(sent.first?["offset"] == sent.last?["offset"], "\(description)")
            #expect(sent.count > 1, "\(description)")
        case "repeats it":
            #expect(sent.map { $0["phase"]?.string } == ["dragging"], "\(description)")
            #expect(sent.first?["offset"]?.number == 900, "\(description)")
        case "sends the present sample in the same frame":
            #expect(sent.last?["type"]?.string == "refresh", "\(description)")
            let offset = script.name == "at rest" ? 610.0 : 950
            let sample = sent.dropLast().last
            #expect(sample?["offset"]?.number == offset, "\(description)")
            #expect((sample?["phase"]?.string == "idle") == (offset == 610), "\(description)")
        default: Issue.record("a cell that no test executes: \(cell)")
        }
    }

    /// Expects that the last message is the sample. The first sample that a client sends of a
    /// finger's movement has the phase `began`.
    private static func expectSent(_ step: Step, _ sent: [JSONValue], _ description: String) {
        guard case .sample(let sample) = step, let message = sent.last else {
            Issue.record("not sent: \(description)")
            return
        }
        switch sample.position {
        case .offset(let offset): #expect(message["offset"]?.number == offset, "\(description)")
        case .travel(let travel):
            #expect(message["translation"]?.number == travel, "\(description)")
        }
        let phase = message["phase"]?.string
        #expect(phase == sample.phase.rawValue || phase == "began", "\(description)")
    }

    @Test("Each row of the table is what a `stream` and a `local` client do", arguments: try rows())
    func row(_ row: Row) throws {
        for script in try #require(Self.scripts[row.sample], "a row that no test executes") {
            try Self.check(
                row.stream, script,
                StreamClient(view: "list", after: 1, offset: script.offset, silenceMs: 5000),
                isLocal: false)
            try Self.check(
                row.local, script,
                LocalClient(view: "list", after: 1, offset: script.offset, silenceMs: 5000),
                isLocal: true)
        }
    }

    @Test("The table has each of the 13 rules that the page lists, and no row without a test")
    func complete() throws {
        let rows = try Self.rows()
        #expect(Set(rows.map(\.sample)) == Set(Self.scripts.keys))
        let listed = try Self.section("What a client sends").split(separator: "\n").compactMap {
            line in line.wholeMatch(of: /(\d+)\. .*/).flatMap { Int($0.1) }
        }
        #expect(listed == Array(1...13))
        #expect(Set(rows.flatMap(\.rules)) == Set(listed))
    }
}
