import ArgumentParser
import RefreshProtocol
import WireContract

/// `refresh-probe explain [CODE]`
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract:
            "Explains a fault, a diagnostic or a close code, and what a client should do.",
        discussion: """
            CODE is the name of a fault in the message error or loading, the name of a diagnostic, \
            or the number of a close code. Without CODE, all codes are listed. The tables of \
            docs/protocol.md contain the same texts.

            Exit status: 0 the code is explained, 1 there is no such code, 2 the command line is \
            invalid.
            """)

    @Argument(
        help: "The name of a fault or diagnostic, or the number of a close code.",
        completion: .list(Explanation.all.map(\.code)))
    var code: String?

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run() throws {
        guard let code else { return list() }
        guard let explanation = Explanation.forCode(code) else {
            let meant = Explanation.suggestions(for: code)
            let hint = meant.isEmpty ? "" : " Did you mean \(meant.joined(separator: ", "))?"
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
