/// The entry point of the probe's executables.
package enum ProbeEntry {
    /// Parses the command line and runs its command.
    package static func main() async { await RefreshProbe.main() }
}
