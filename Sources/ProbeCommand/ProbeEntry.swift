/// The probe as an executable starts it.
package enum ProbeEntry {
    /// Parses the command line and runs the command that it names.
    package static func main() async { await RefreshProbe.main() }
}
