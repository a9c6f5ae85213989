/// Where the lines of one session's journal go.
///
/// Touched by the session's thread alone; no method waits for a disk.
package protocol JournalSink: AnyObject {
    /// When the journal was begun, RFC 3339.
    var started: String { get }
    /// Whether lines are still taken: false after a disk refused one.
    var isOpen: Bool { get }
    /// Whether somebody has asked for it, and may end it.
    var isOnRequest: Bool { get }
    /// Whether it has become as long as it may: it is to be ended.
    var isFull: Bool { get }
    /// Takes whole lines, behind those before.
    func append(_ lines: [UInt8])
    /// Nothing follows.
    func close()
}

extension JournalSink {
    package var isOnRequest: Bool { false }
    package var isFull: Bool { false }
}
