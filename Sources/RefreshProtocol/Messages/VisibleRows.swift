/// The rows of a list that are in sight, counted from 0, the first row of the feed. Source:
/// docs/protocol.md, "What is in sight".
package struct VisibleRows: Hashable, Sendable, Codable {
    package var first: UInt32
    /// The last row, not before `first`.
    package var last: UInt32

    package init(first: UInt32, last: UInt32) {
        self.first = first
        self.last = last
    }

    /// The largest number of a row that a client may send.
    package static let rowMax = Int(Int32.max)
}
