internal import ArgumentParser
internal import RefreshConfiguration
internal import RefreshServer

/// Prints the effective configuration with the origin of each value.
struct PrintConfig: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "print-config",
        abstract: "Print the configuration in effect as YAML, without its secrets.",
        discussion: """
            A comment after each value states its source: flag, environment, file or default.
            For a value that may be a secret, *** is printed.
            """)

    @Flag(help: "Print the JSON Schema (2020-12) of the configuration file instead, for editors.")
    var schema = false

    @Flag(help: "Print secrets too, so that the output is a complete configuration file.")
    var showSecrets = false

    @OptionGroup var options: ServerOptions

    mutating func run() throws {
        if schema {
            return Refreshd.writeOutput(ConfigurationSchema.text)
        }
        do throws(ConfigurationError) {
            Refreshd.writeOutput(try options.layers().listing.text(masks: !showSecrets))
        } catch {
            options.exitReporting(error)
        }
    }
}
