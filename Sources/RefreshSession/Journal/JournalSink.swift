/// The destination of one session's journal.
///
/// Only the session's thread uses it. No method waits for a disk.
package protocol JournalSink: AnyObject {
    /// When the journal began, in the format of RFC 3339.
    var started: String { get }
    /// Whether lines are still accepted. It is false after a line could not be written.
    var isOpen: Bool { get }
    /// Whether an operator has requested the journal, and may therefore end it.
    var isOnRequest: Bool { get }
    /// Whether the journal has reached its size limit and must be ended.
    var isFull: Bool { get }
    /// Appends whole lines.
    func append(_ lines: [UInt8])
    /// Ends the journal.
    func close()
}

extension JournalSink {
    package var isOnRequest: Bool { false }
    package var isFull: Bool { false }
}
