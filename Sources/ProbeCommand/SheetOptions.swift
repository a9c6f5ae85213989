import ArgumentParser
import RefreshProtocol
import RefreshScenario
import RefreshServer

/// The options of an indicator's contact sheet: its appearance and destination.
struct SheetOptions: ParsableArguments {
    @Option(
        help: "Write the picture there instead of to standard output: FILE.svg or FILE.png.",
        completion: .file(extensions: ["svg", "png"]))
    var out: String?

    @Option(help: "The language of its texts, a BCP 47 tag.")
    var language = "en"

    @Flag(help: "Draw it on a dark ground.")
    var dark = false

    @Flag(help: "With --out: print one JSON object that says what was drawn.")
    var json = false

    func validate() throws {
        try PlotOutput.check(out, [.svg, .png], json: json)
    }

    func draw(_ named: NamedProgramme) throws {
        let svg = ContactSheet(
            of: named.programme, named: named.name, language: language,
            theme: dark ? .dark : .light
        ).svg
        try PlotOutput.write(svg, to: out)
        if json {
            PlotOutput.printSummary(
                of: out,
                [
                    .init("indicator", .string(named.name)), .init("language", .string(language)),
                    .init("dark", .bool(dark)),
                ])
        }
    }
}
