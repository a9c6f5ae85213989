/// An event that an `exec` backend reports to the log.
package enum ExecEvent: Hashable, Sendable {
    /// A line of standard error without its line end; at most 1,000 characters.
    case errorLine(process: Int32, String)
    /// This many lines of standard error were omitted, because there were too many in one second.
    case errorLinesOmitted(process: Int32, lines: Int)
    case started(process: Int32)
    /// The system could not start the process; the value is the system's message.
    case startFailed(String)
    case dismissed(process: Int32, reason: String)
    /// A process ended after `bye` or a kill, with an exit status or by a signal.
    case ended(process: Int32, exitStatus: Int32?, signal: Int32?)
    /// A process ended unexpectedly. `lastLine` is the last line of standard error, which may
    /// contain the reason; nil if there was none.
    case endedUnexpectedly(process: Int32, exitStatus: Int32?, signal: Int32?, lastLine: String?)
}
