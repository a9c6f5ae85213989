internal import ArgumentParser
internal import RefreshServer

/// Prints the effective configuration with the origin of each value.
struct PrintConfig: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "print-config",
        abstract: "Print the configuration in effect as YAML, without its secrets.",
        discussion: """
            Behind each value stands where it comes from: flag, environment, file or default.
            What may be a secret is masked: *** stands in its place.
            """)

    @Flag(help: "Print the JSON Schema (2020-12) of the file instead, for editors.")
    var schema = false

    @Flag(help: "Print secrets too, so that what is printed can be read again.")
    var showSecrets = false

    @OptionGroup var options: ServerOptions

    mutating func run() throws {
        if schema {
            return Refreshd.tell(ConfigurationSchema.text)
        }
        do throws(ConfigurationError) {
            Refreshd.tell(try options.layers().listing.text(masks: !showSecrets))
        } catch {
            options.refuse(error)
        }
    }
}
