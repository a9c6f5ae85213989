/// The exit status of the process. The numbers are those of sysexits(3). Source:
/// docs/operations.md.
package enum ExitStatus: Int32, Sendable {
    /// Stopped as requested.
    case success = 0
    /// A flag is unknown or its value is wrong.
    case usage = 64
    /// The configuration file cannot be read.
    case noInput = 66
    /// An address is in use or does not belong to this machine.
    case unavailable = 69
    /// The system refused a thread, a socket or another resource.
    case system = 71
    /// The requested output cannot be printed.
    case output = 74
    /// The configuration is not valid, or the flags conflict with it.
    case configuration = 78
}
