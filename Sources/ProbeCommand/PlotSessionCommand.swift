import ArgumentParser
import JournalReplay
import Plotting

/// `refresh-probe plot session FILE`
struct PlotSessionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "Draws a recorded session.",
        discussion: """
            FILE is a journal that refreshd --journal wrote (docs/journal.md). For each view, the \
            picture shows on one time axis: the offset with its thresholds and touches, the \
            progress, the states, the insets, the commands and the loads. Each message is a tick. \
            If the name of the picture ends with .html, it is a web page that also contains all \
            messages. If the name ends with .png, rsvg-convert (Debian: librsvg2-bin) converts the \
            picture and must be installed.

            Exit status: 0 the picture is drawn, 2 the command line is invalid, the file cannot be \
            read or is not a journal, or the picture cannot be written.
            """)

    @Argument(help: "The journal.", completion: .file(extensions: ["jsonl"]))
    var file: String

    @Option(
        help: "Write to this file instead of standard output: FILE.svg, FILE.html or FILE.png.",
        completion: .file(extensions: ["svg", "html", "png"]))
    var out: String?

    @Option(help: "The width of the picture in points, 480 to 10000.")
    var width = 1100.0

    @Flag(help: "Draw on a dark background.")
    var dark = false

    @Flag(help: "With --out: print one JSON object that describes the picture.")
    var json = false

    func validate() throws {
        try PlotOutput.check(out, [.svg, .html, .png], json: json)
        guard (480...10_000).contains(width) else {
            throw ValidationError("--width: 480 to 10000 points")
        }
    }

    func run() throws {
        let recording: SessionRecording
        do throws(JournalUnusable) {
            recording = try SessionRecording(path: file)
        } catch {
            try PlotOutput.fail("\(error)")
        }
        let theme: PlotTheme = dark ? .dark : .light
        let text =
            PlotOutput.form(of: out) == .html
            ? SessionPage(of: recording, theme: theme, width: width).html
            : SessionPicture(of: recording, theme: theme, width: width).svg
        try PlotOutput.write(text, to: out)
        if json { PlotOutput.printSummary(of: out, recording.summary) }
    }
}
