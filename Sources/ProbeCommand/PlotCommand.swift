import ArgumentParser

/// `refresh-probe plot sheet|session|NAME …`; any other word is the file of an indicator.
///
/// The built-in indicators are commands, not just arguments of `sheet`, so that shells complete
/// them and help lists them.
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
