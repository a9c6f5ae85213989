package import RefreshProtocol

/// One line of a journal. Source: docs/journal.md.
package enum JournalLine: Hashable, Sendable {
    case header(JournalHeader)
    case input(at: Instant, JournalInput)
    case output(JournalOutput)
    /// The last line of a whole journal: how many lines of each kind stand before it.
    case end(inputs: Int, outputs: Int)

    /// What stands between a line and its sum.
    static let sumMember = Array(#","sum":""#.utf8)
    /// Bytes of the end of a line, from its sum's member to the brace.
    static let sumBytes = sumMember.count + 8 + 2
}
