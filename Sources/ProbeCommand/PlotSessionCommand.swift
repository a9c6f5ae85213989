import ArgumentParser
import RefreshScenario

/// `refresh-probe plot session FILE`
struct PlotSessionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "Draws what happened in a recorded session.",
        discussion: """
            FILE is a journal that refreshd --journal wrote (docs/journal.md). The picture shows, of \
            each view and over one time, the offset with its thresholds and where a finger was down, \
            progress, states, insets, commands and loads, and every message as a tick. A name that \
            ends with .html makes a page with the picture and all messages; one that ends with .png \
            a picture made by rsvg-convert (Debian: librsvg2-bin), which must be there.

            Exit status: 0 drawn, 2 a wrong command line, a file that cannot be read or is no \
            journal, or a picture that cannot be written.
            """)

    @Argument(help: "The journal.", completion: .file(extensions: ["jsonl"]))
    var file: String

    @Option(
        help: "Write there instead of to standard output: FILE.svg, FILE.html or FILE.png.",
        completion: .file(extensions: ["svg", "html", "png"]))
    var out: String?

    @Option(help: "The width of the picture in points, 480 to 10000.")
    var width = 1100.0

    @Flag(help: "Draw it on a dark ground.")
    var dark = false

    @Flag(help: "With --out: print one JSON object that says what was drawn.")
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
