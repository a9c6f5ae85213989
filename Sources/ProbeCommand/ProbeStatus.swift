/// The probe's exit statuses, the same for every command; 0 is success. Source:
/// docs/refresh-probe.md, "Exit statuses".
enum ProbeStatus: Int32, Error {
    /// The result is negative: a scenario failed, a journal did not replay, a code is unknown.
    case failed = 1
    /// The command line is wrong, or a file cannot be read, parsed or written.
    case unusable = 2
    /// The daemon could not be reached, refused the connection, or lost it.
    case unreachable = 3
}
