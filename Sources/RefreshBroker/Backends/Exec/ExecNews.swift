/// What an `exec` backend tells the log.
package enum ExecNews: Hashable, Sendable {
    /// A line of standard error, without its end; at most 1,000 characters.
    case said(process: Int32, String)
    /// So many lines of standard error were left out: there were too many in one second.
    case leftOut(process: Int32, lines: Int)
    case started(process: Int32)
    /// The system could not start it; its words.
    case notStarted(String)
    case dismissed(process: Int32, reason: String)
    /// It was told to end, or killed, and did: with an exit status, or by a signal.
    case ended(process: Int32, exitStatus: Int32?, signal: Int32?)
    /// The same by itself: nobody wanted it to end. With the last line of standard error, which
    /// may say why; nil if it wrote none.
    case died(process: Int32, exitStatus: Int32?, signal: Int32?, lastLine: String?)
}
