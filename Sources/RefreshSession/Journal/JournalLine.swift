package import RefreshProtocol

/// One line of a journal. Source: docs/journal.md. docs/decisions/0020-journal-codec.md explains
/// why it is not `Codable`.
package enum JournalLine: Hashable, Sendable {
    case header(JournalHeader)
    case input(at: Instant, SessionInput)
    case output(JournalOutput)
    /// A frame or a close of the server, with the time at which it arrived. Only a recorder between
    /// a client and a server writes this line, because it does not know the input that caused the
    /// output.
    case observed(at: Instant, JournalOutput)
    /// The last line of a complete journal. It contains the number of preceding lines of each kind.
    case end(inputs: Int, outputs: Int)

    /// The bytes between the other members of a line and its checksum.
    static let sumMember = Array(#","sum":""#.utf8)
    /// The number of bytes at the end of a line, from the comma before `sum` to the closing brace.
    static let sumBytes = sumMember.count + 8 + 2
}
