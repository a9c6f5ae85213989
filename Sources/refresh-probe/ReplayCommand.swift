import ArgumentParser
import RefreshProtocol
import RefreshScenario

/// `refresh-probe replay FILE`
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Replays a recorded session and says whether it does the same again.",
        discussion: """
            FILE is a journal that refreshd --journal wrote. What entered the session is put through \
            a new one in process, and what leaves that is compared byte by byte. The format is \
            described in docs/journal.md.

            Exit status: 0 identical, 1 a difference or a line that was changed, 2 a wrong command \
            line or a file that cannot be read or is no journal.
            """)

    @Argument(help: "The journal.", completion: .file(extensions: ["jsonl"]))
    var file: String

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let verdict: ReplayVerdict
        do throws(JournalUnusable) {
            verdict = try JournalReplay.run(path: file)
        } catch {
            Terminal.complain("\(error)")
            throw ProbeStatus.unusable
        }
        Terminal.put(json ? verdict.json.text : verdict.text)
        if !verdict.isIdentical { throw ProbeStatus.failed }
    }
}
