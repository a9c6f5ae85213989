import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// The whole list of a feed, with the backend that delivers its pages. An item has a rank, to which
/// cursors refer.
struct LiveModel {
    struct Item: Hashable {
        var id: Int
        var version = 0
        var rank: Double
    }

    private(set) var items: [Item]
    private var lastID: Int

    init(count: Int) {
        items = (1...count).map { Item(id: $0, rank: Double($0)) }
        lastID = count
    }

    var texts: [String] { items.map { PatchedList.item($0.id, version: $0.version, bytes: 1) } }

    // MARK: Operations

    /// Changes the list by a random operation.
    mutating func change(
        _ kinds: [ItemOperation.Kind], _ random: inout SplitMix
    ) -> ItemOperation {
        let kind = kinds.randomElement(using: &random) ?? .update
        let index = items.indices.randomElement(using: &random) ?? 0
        switch kind {
        case .update:
            items[index].version += 1
            return ListEditTests.operation(
                .update, items[index].id, version: items[index].version)
        case .remove where items.count > 3:
            return ListEditTests.operation(.remove, items.remove(at: index).id)
        case .move:
            let item = items.remove(at: index)
            return ListEditTests.operation(.move, item.id, put(item, &random))
        case .insert, .remove, .refresh:
            lastID += 1
            let place = put(Item(id: lastID, rank: 0), &random)
            return ListEditTests.operation(.insert, lastID, place)
        }
    }

    /// Applies the insertion of an item at the start, as a client makes it.
    mutating func insertAtStart(_ id: Int) {
        items.insert(Item(id: id, rank: rank(at: 0)), at: 0)
    }

    private mutating func put(_ item: Item, _ random: inout SplitMix) -> ItemOperation.Place {
        let beside = items.indices.randomElement(using: &random) ?? 0
        let key = ListEditTests.key(items[beside].id)
        let (index, place): (Int, ItemOperation.Place) =
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1: (0, .start)
            case 2: (items.count, .end)
            case 3: (beside, .before(key))
            default: (beside + 1, .after(key))
            }
        var item = item
        item.rank = rank(at: index)
        items.insert(item, at: index)
        return place
    }

    private func rank(at index: Int) -> Double {
        let before = index > 0 ? items[index - 1].rank : (items.first?.rank ?? 0) - 2
        let after = index < items.count ? items[index].rank : before + 2
        return (before + after) / 2
    }

    // MARK: Pages

    func page(_ request: LoadRequest, style: PagingStyle) throws -> Page {
        let start =
            switch style {
            case .offset: request.offset
            case .cursor:
                request.cursor.flatMap(Double.init).map { cursor in
                    items.firstIndex { $0.rank > cursor } ?? items.count
                } ?? 0
            default: (request.page - 1) * request.size
            }
        let texts = texts.dropFirst(start).prefix(request.size)
        let end = min(start, items.count) + texts.count
        var page = try PatchedList.page(Array(texts), more: end < items.count)
        if style == .cursor, end < items.count { page.cursor = String(items[end - 1].rank) }
        return page
    }
}
