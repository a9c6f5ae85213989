package import RefreshProtocol

/// One line of a journal. Source: docs/journal.md. Why it is not `Codable`:
/// docs/decisions/0020-journal-codec.md.
package enum JournalLine: Hashable, Sendable {
    case header(JournalHeader)
    case input(at: Instant, SessionInput)
    case output(JournalOutput)
    /// The last line of a complete journal: the number of preceding lines of each kind.
    case end(inputs: Int, outputs: Int)

    /// The bytes between a line and its checksum.
    static let sumMember = Array(#","sum":""#.utf8)
    /// Bytes of the end of a line, from the checksum's member to the brace.
    static let sumBytes = sumMember.count + 8 + 2
}
