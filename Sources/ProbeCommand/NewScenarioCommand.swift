import ArgumentParser
import Foundation
import JournalReplay
import RefreshProtocol

/// `refresh-probe new-scenario JOURNAL`
struct NewScenarioCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new-scenario",
        abstract: "Writes a scenario that repeats a recorded session.",
        discussion: """
            JOURNAL is a journal that refreshd --journal or refresh-probe record wrote. The scenario \
            sends the frames of the client at their recorded intervals, and expects the states, the \
            insets and the items that the server sent. Play it with refresh-probe run --url on a \
            server of the same configuration. docs/refresh-probe.md describes what is expected.

            Exit status: 0 the scenario is written, 2 the command line is invalid, the file cannot \
            be read or is not a journal, a scenario cannot repeat the session, or the scenario \
            cannot be written.
            """)

    @Argument(help: "The journal.", completion: .file(extensions: ["jsonl"]))
    var journal: String

    @Option(
        help: ArgumentHelp(
            "Write to this file instead of standard output. The name of a scenario begins with its "
                + "category, such as session-NAME.scenario.",
            valueName: "file"), completion: .file(extensions: ["scenario"]))
    var output: String?

    @Option(help: "The token of the client, if its `hello` had one. The scenario contains it.")
    var token: String?

    @Flag(help: "With --output: print one JSON object that describes the scenario.")
    var json = false

    func validate() throws {
        guard output != nil || !json else { throw ValidationError("--json: only with --output") }
    }

    func run() throws {
        let scenario: JournalScenario
        do throws(JournalUnusable) {
            scenario = try JournalScenario(path: journal, token: token)
        } catch {
            Terminal.printError("\(error)")
            throw ProbeStatus.unusable
        }
        guard let output else { return Terminal.write(scenario.text) }
        do {
            try Data(scenario.text.utf8).write(to: URL(fileURLWithPath: output))
        } catch {
            Terminal.printError("\(output): \(WriteFailure.text(error))")
            throw ProbeStatus.unusable
        }
        guard json else { return }
        Terminal.printLine(
            JSONValue.object([
                .init("file", .string(output)),
                .init("frames", .number(Double(scenario.frames))),
                .init("expectations", .number(Double(scenario.expectations))),
                .init("seconds", .number(scenario.seconds)),
            ]).text)
    }
}
