import ArgumentParser
import Foundation
import RefreshConfiguration
import RefreshIndicator
import RefreshServer
import RefreshSession

/// `refresh-probe plot [sheet|programme] FILE|NAME`
struct PlotIndicatorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sheet",
        abstract: "Draws an indicator.",
        discussion: """
            Draws frames side by side, as SVG: of the pull, of the refresh, and of each way in \
            which the refresh can end. If the name of the picture ends with .png, rsvg-convert \
            (Debian: librsvg2-bin) converts it and must be installed. docs/indicators.md describes \
            the format of the file. The word sheet may be omitted.

            Exit status: 0 the picture is drawn, 2 the command line is invalid, the file cannot be \
            read or is not an indicator, or the picture cannot be written.
            """,
        // `programme` is an alias because docs/indicators.md calls an indicator file a programme.
        aliases: ["programme"])

    @Argument(
        help: "A file as described in docs/indicators.md, or one of \(builtIn).",
        completion: .custom { _, _, prefix in IndicatorWords.completions(for: prefix) })
    var indicator: String

    @OptionGroup var options: SheetOptions

    private static let builtIn = BuiltInIndicator.allCases.map(\.rawValue)
        .joined(separator: ", ")

    func run() throws { try options.draw(namedProgramme()) }

    /// Returns the built-in indicator of that name, or reads the file.
    private func namedProgramme() throws -> NamedProgramme {
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
