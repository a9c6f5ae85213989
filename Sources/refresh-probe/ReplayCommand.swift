import ArgumentParser
import Foundation
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

    @Argument(help: "The journal.")
    var file: String

    func run() throws {
        let verdict: ReplayVerdict
        do throws(JournalUnusable) {
            verdict = try JournalReplay.run(path: file)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            throw ProbeStatus.unusable
        }
        FileHandle.standardOutput.write(Data("\(verdict.text)\n".utf8))
        if !verdict.isIdentical { throw ProbeStatus.failed }
    }
}
