import ArgumentParser
import RefreshIndicator
import RefreshServer
import RefreshSession

/// `refresh-probe plot NAME`, which draws the same picture as `plot sheet NAME`.
struct PlotBuiltInCommand<Name: BuiltInName>: ParsableCommand {
    static var configuration: CommandConfiguration {
        let name = Name.indicator.rawValue
        return CommandConfiguration(
            commandName: name,
            abstract: "Draws the built-in indicator \(name).",
            discussion: """
                The command plot sheet with this name does the same.

                Exit status: 0 the picture is drawn, 2 the command line is invalid, or the picture \
                cannot be written.
                """)
    }

    @OptionGroup var options: SheetOptions

    func run() throws {
        try options.draw(NamedProgramme(Name.indicator.rawValue, Name.indicator.programme))
    }
}

/// The name of a built-in indicator as a type, because each subcommand must be a separate type.
protocol BuiltInName {
    static var indicator: BuiltInIndicator { get }
}

/// All built-in indicators.
enum BuiltIn {
    enum Spinner: BuiltInName { static let indicator = BuiltInIndicator.spinner }
    enum Indicator: BuiltInName { static let indicator = BuiltInIndicator.indicator }
    enum Path: BuiltInName { static let indicator = BuiltInIndicator.path }
    enum Letters: BuiltInName { static let indicator = BuiltInIndicator.letters }
    enum Compass: BuiltInName { static let indicator = BuiltInIndicator.compass }
}
