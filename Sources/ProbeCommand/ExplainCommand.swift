import ArgumentParser
import RefreshProtocol
import RefreshScenario

/// `refresh-probe explain [CODE]`
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract:
            "Says what a fault, a diagnostic or a close code means, and what a client should do.",
        discussion: """
            CODE is the name of a fault, as in the messages error and loading, or of a diagnostic, or the \
            number that a connection was closed with. Without it all of them are listed. What is printed is what the \
            tables of docs/protocol.md are made from.

            Exit status: 0 explained, 1 there is no such code, 2 a wrong command line.
            """)

    @Argument(
        help: "The name of a fault or diagnostic, or the number of a close code.",
        completion: .list(Explanation.all.map(\.code)))
    var code: String?

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func run() throws {
        guard let code else { return list() }
        guard let explanation = Explanation.of(code) else {
            let meant = Explanation.suggestions(for: code)
            let hint = meant.isEmpty ? "" : " Is it one of \(meant.joined(separator: ", "))?"
            Terminal.printError("There is no code \(code).\(hint)")
            throw ProbeStatus.failed
        }
        guard !json else { return Terminal.printLine(explanation.json.text) }
        let lines = explanation.text.split(separator: "\n", maxSplits: 1)
        Terminal.printLine(Terminal.bold(String(lines[0])) + "\n" + lines[1])
    }

    private func list() {
        let width = (Explanation.all.map(\.code.count).max() ?? 0) + 2
        for explanation in Explanation.all {
            if json {
                Terminal.printLine(explanation.json.text)
            } else {
                let gap = String(repeating: " ", count: width - explanation.code.count)
                Terminal.printLine(Terminal.bold(explanation.code) + gap + explanation.meaning)
            }
        }
    }
}
