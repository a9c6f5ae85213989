import RefreshBroker
import RefreshProtocol
import RefreshServer
import RefreshSession

/// A feed of the simulated backend: numbered items, divided into pages.
///
/// An item is `{"k":7,"c":12}`: its number, and the number of the answer that contains it.
struct SimulatedFeed {
    /// Each paging style has a list that never changes. One more list grows at its beginning.
    enum Kind: String, CaseIterable {
        case pages
        case cursors
        case offsets
        case live

        var style: PagingStyle {
            switch self {
            case .pages: .page
            case .cursors: .cursor
            case .offsets, .live: .offset
            }
        }
    }

    /// The parameter that makes the loads of two clients differ.
    static let owner = "owner"
    static let size = 8

    let kind: Kind
    /// The numbers of the feed's items, in order.
    private(set) var items: [Int]

    init(_ kind: Kind, count: Int) {
        self.kind = kind
        items = Array(0..<count)
    }

    var name: String { kind.rawValue }

    var description: FeedDescription {
        FeedDescription(
            name: name, parameters: [FeedParameter(Self.owner)], style: kind.style,
            first: kind.style == .page ? 1 : kind.style == .offset ? 0 : nil, size: Self.size)
    }

    /// Adds new items before the first one.
    mutating func grow(by count: Int) {
        let first = items.first ?? 0
        items = (1...count).reversed().map { first - $0 } + items
    }

    func page(for request: LoadRequest, number: Int) -> Page {
        let start: Int =
            switch kind {
            case .pages: (request.page - 1) * Self.size
            case .cursors: request.cursor.flatMap { Int($0) } ?? 0
            case .offsets, .live: request.offset
            }
        let end = min(max(start, 0) + request.size, items.count)
        let part = start >= 0 && start < end ? items[start..<end] : []
        let text = "[\(part.map { "{\"k\":\($0),\"c\":\(number)}" }.joined(separator: ","))]"
        let hasMore = end < items.count
        return Page(
            items: Array(text.utf8), count: part.count, more: hasMore,
            cursor: kind == .cursors && hasMore ? String(end) : nil)
    }
}
