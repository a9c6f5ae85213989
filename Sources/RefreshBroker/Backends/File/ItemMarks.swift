/// Where some of the items in a piece of memory begin: the first, and then each that begins a KiB
/// or more behind the last one that was noted.
///
/// So a list takes a fiftieth of its bytes more, however small its items are, and whoever looks for
/// one reads little before it.
struct ItemMarks: Sendable {
    struct Mark: Sendable {
        var index: Int
        /// Bytes from the beginning.
        var offset: Int
    }

    private static let step = 1024

    private var marks: [Mark] = []
    /// Of all items.
    private(set) var count = 0

    /// How many items' places are noted.
    var noted: Int { marks.count }

    /// The next item begins at `offset`, which is not before the last one's. True if its place was
    /// noted.
    @discardableResult
    mutating func append(_ offset: Int) -> Bool {
        defer { count += 1 }
        if let last = marks.last, offset - last.offset < Self.step { return false }
        marks.append(Mark(index: count, offset: offset))
        return true
    }

    /// The last noted item that is not behind `index`; nil if there is none.
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
