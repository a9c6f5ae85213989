/// The entry point of the daemon's executables.
package enum DaemonEntry {
    /// Parses the command line and serves until a signal ends the process.
    package static func main() { Refreshd.main() }
}
