/// What the process ends with; the numbers are those of sysexits(3). Source: docs/operations.md.
package enum ExitStatus: Int32, Sendable {
    /// Stopped as asked.
    case success = 0
    /// A flag is unknown or its value is wrong.
    case usage = 64
    /// The configuration file cannot be read.
    case noInput = 66
    /// An address is in use or not of this machine.
    case unavailable = 69
    /// The system refused something else: threads, sockets, the event library.
    case system = 71
    /// What was asked for cannot be printed.
    case output = 74
    /// The configuration is not valid, or does not allow what the flags ask for.
    case configuration = 78
}
