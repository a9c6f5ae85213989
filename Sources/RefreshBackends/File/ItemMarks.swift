/// The recorded positions of some items in a buffer. The first item is recorded, and each later
/// item that starts at least 1 KiB after the last recorded position.
///
/// The positions need at most one fiftieth of the list's bytes, even if its items are small. A
/// search for an item scans less than 1 KiB before the item.
struct ItemMarks: Sendable {
    struct Mark: Sendable {
        var index: Int
        /// The position in bytes from the beginning.
        var offset: Int
    }

    private static let step = 1024

    private var marks: [Mark] = []
    /// The number of all items.
    private(set) var count = 0

    /// The number of recorded positions.
    var markCount: Int { marks.count }

    /// Adds the next item. Its `offset` must not be smaller than that of the previous item. Returns
    /// true if its position was recorded.
    @discardableResult
    mutating func append(_ offset: Int) -> Bool {
        defer { count += 1 }
        if let last = marks.last, offset - last.offset < Self.step { return false }
        marks.append(Mark(index: count, offset: offset))
        return true
    }

    /// Returns the last recorded item at or before `index`, or nil if there is none.
    func mark(before index: Int) -> Mark? {
        var range = marks.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if marks[middle].index <= index {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return range.lowerBound > 0 ? marks[range.lowerBound - 1] : nil
    }
}
