import ArgumentParser

/// `refresh-probe plot sheet|session …`; without the word it is the contact sheet of an indicator.
struct PlotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plot",
        abstract: "Draws what an indicator looks like, or what happened in a recorded session.",
        subcommands: [PlotIndicatorCommand.self, PlotSessionCommand.self],
        defaultSubcommand: PlotIndicatorCommand.self)
}
