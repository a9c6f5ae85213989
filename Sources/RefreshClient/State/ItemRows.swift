public import RefreshProtocol

/// The rows of a list with random access. Each row without an item is a placeholder. Source:
/// docs/protocol.md, "What is in sight".
public struct ItemRows: Hashable, Sendable {
    /// The number of rows.
    public private(set) var count: Int
    private var items: [Int: JSONValue] = [:]

    init(count: Int) { self.count = count }

    /// The number of rows that have an item.
    public var itemCount: Int { items.count }

    /// The item of a row, counted from 0; nil: the row is a placeholder.
    public subscript(row: Int) -> JSONValue? { items[row] }

    /// The rows that have an item, in their order.
    var filled: [(row: Int, item: JSONValue)] {
        items.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Sets the items of the rows from this one on. Rows that the list does not have are ignored.
    mutating func fill(_ page: [JSONValue], from start: Int) {
        for (index, item) in page.enumerated() where (0..<count).contains(start + index) {
            items[start + index] = item
        }
    }

    /// The rows for the next process.
    var saved: JSONValue {
        .object([
            .init("count", .number(Double(count))),
            .init(
                "filled",
                .array(filled.map { .array([.number(Double($0.row)), $0.item]) })),
        ])
    }

    /// Reads the rows of an earlier process.
    init(saved: JSONValue) {
        self.init(count: saved["count"]?.count ?? 0)
        for pair in saved["filled"]?.array ?? [] {
            guard let pair = pair.array, pair.count == 2, let row = pair[0].count else { continue }
            fill([pair[1]], from: row)
        }
    }

    /// Gives the list another number of rows. The items of the remaining rows stay.
    mutating func resize(to count: Int) {
        if count < self.count { items = items.filter { $0.key < count } }
        self.count = count
    }
}

/// Where the items of a view with random access belong.
struct RowPlaces: Hashable, Sendable {
    /// The largest number of pages of a list.
    private static let pagesMax = 65_535

    /// The `offset` of the first row.
    private var first: Int
    private var size: Int

    /// Reads `paging` of `attached`; nil without random access.
    init?(_ paging: JSONValue?) {
        guard paging?["access"]?.string == PagingAccess.random.rawValue else { return nil }
        let isByOffset = paging?["style"]?.string == PagingStyle.offset.rawValue
        first = isByOffset ? paging?["first"]?.integer(in: 0...1) ?? 0 : 0
        size = paging?["size"]?.integer(in: 1...JSONValue.countMax) ?? 1
    }

    /// The row of the first item of a message.
    func row(of message: JSONValue) -> Int { max((message["offset"]?.count ?? 0) - first, 0) }

    /// The rows of the list that a message begins; nil if the message does not count them.
    func rows(of message: JSONValue) -> ItemRows? {
        guard let total = message["total"]?.count else { return nil }
        let (most, isOver) = size.multipliedReportingOverflow(by: Self.pagesMax)
        return ItemRows(count: isOver ? total : min(total, most))
    }
}
