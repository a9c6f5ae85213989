import ArgumentParser

/// `refresh-probe plot sheet|session|NAME …`. If the first argument is none of these, it is the
/// path of an indicator file.
///
/// The built-in indicators are subcommands and not only arguments of `sheet`, so that shells
/// complete their names and the help lists them.
struct PlotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plot",
        abstract: "Draws an indicator or a recorded session.",
        subcommands: [
            PlotIndicatorCommand.self, PlotSessionCommand.self,
            PlotBuiltInCommand<BuiltIn.Spinner>.self, PlotBuiltInCommand<BuiltIn.Indicator>.self,
            PlotBuiltInCommand<BuiltIn.Path>.self, PlotBuiltInCommand<BuiltIn.Letters>.self,
            PlotBuiltInCommand<BuiltIn.Compass>.self,
        ],
        defaultSubcommand: PlotIndicatorCommand.self)
}
