import ArgumentParser
import Plotting
internal import RefreshIndicator
import RefreshProtocol
import RefreshServer
import RefreshSession

/// The options for the picture of an indicator (`ContactSheet`): its appearance and destination.
struct SheetOptions: ParsableArguments {
    @Option(
        help: "Write the picture to this file instead of standard output: FILE.svg or FILE.png.",
        completion: .file(extensions: ["svg", "png"]))
    var out: String?

    @Option(help: "The language of the texts, a BCP 47 tag.")
    var language = "en"

    @Flag(help: "Draw on a dark background.")
    var dark = false

    @Flag(help: "With --out: print one JSON object that describes the picture.")
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
