import ArgumentParser
import Foundation
import RefreshIndicator
import RefreshProtocol
import RefreshScenario
import RefreshServer

/// `refresh-probe plot [sheet] FILE|NAME`
struct PlotIndicatorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sheet",
        abstract: "Draws what an indicator looks like.",
        discussion: """
            Draws frames over the pull, the refresh and its ends side by side, as SVG. A picture \
            whose name ends with .png is made by rsvg-convert (Debian: librsvg2-bin), which must be \
            there. The format of the file is described in docs/indicators.md.

            Exit status: 0 drawn, 2 a wrong command line, a file that cannot be read or is no \
            indicator, or a picture that cannot be written.
            """)

    @Argument(
        help: "A file as in docs/indicators.md, or one of \(builtIn).",
        completion: .list(BuiltInIndicator.allCases.map(\.rawValue)))
    var indicator: String

    @Option(
        help: "Write the picture there instead of to standard output: FILE.svg or FILE.png.",
        completion: .file(extensions: ["svg", "png"]))
    var out: String?

    @Option(help: "The language of its texts, a BCP 47 tag.")
    var language = "en"

    @Flag(help: "Draw it on a dark ground.")
    var dark = false

    private static let builtIn = BuiltInIndicator.allCases.map(\.rawValue)
        .joined(separator: ", ")

    @Flag(help: "With --out: print one JSON object that says what was drawn.")
    var json = false

    func validate() throws {
        try PlotOutput.check(out, [.svg, .png], json: json)
    }

    func run() throws {
        let named = try named()
        let svg = ContactSheet(
            of: named.programme, named: named.name, language: language,
            theme: dark ? .dark : .light
        ).svg
        try PlotOutput.put(svg, to: out)
        if json {
            PlotOutput.tell(
                of: out,
                [
                    .init("indicator", .string(named.name)), .init("language", .string(language)),
                    .init("dark", .bool(dark)),
                ])
        }
    }

    /// A built-in one is known by its name; everything else is a file.
    private func named() throws -> NamedProgramme {
        if let builtIn = BuiltInIndicator(rawValue: indicator) {
            return NamedProgramme(builtIn.rawValue, builtIn.programme)
        }
        do throws(IndicatorFile.Mistake) {
            let name = URL(fileURLWithPath: indicator).deletingPathExtension().lastPathComponent
            return NamedProgramme(name, try IndicatorFile.read(indicator))
        } catch {
            try PlotOutput.fail("\(indicator): \(error)")
        }
    }
}
