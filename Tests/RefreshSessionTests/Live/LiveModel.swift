import BrokerBench
import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// The whole list of a feed, with the backend that delivers its pages.
struct LiveModel {
    private var list: RankedList
    private var lastID: Int

    init(count: Int) {
        list = RankedList(1...count)
        lastID = count
    }

    var ids: [Int] { list.items.map(\.id) }
    var texts: [String] { list.items.map(Self.text) }

    private static func text(_ item: RankedList.Item) -> String {
        PatchedList.item(item.id, version: item.version, bytes: 1)
    }

    /// Changes the list by a random operation.
    mutating func change(
        _ kinds: [ItemOperation.Kind], _ random: inout SplitMix
    ) -> ItemOperation {
        let kind = kinds.randomElement(using: &random) ?? .update
        let index = list.items.indices.randomElement(using: &random) ?? 0
        switch kind {
        case .update:
            let (id, version) = (list.items[index].id, list.items[index].version + 1)
            list.update(at: index, to: version)
            return ListEditTests.operation(.update, id, version: version)
        case .remove where list.items.count > 3:
            return ListEditTests.operation(.remove, list.remove(at: index).id)
        case .move:
            let item = list.remove(at: index)
            return ListEditTests.operation(.move, item.id, put(item, &random))
        case .insert, .remove, .refresh:
            lastID += 1
            let place = put(RankedList.Item(id: lastID), &random)
            return ListEditTests.operation(.insert, lastID, place)
        }
    }

    /// Applies the insertion of an item at the start, as a client makes it.
    mutating func insertAtStart(_ id: Int) { list.insert(RankedList.Item(id: id), at: 0) }

    private mutating func put(
        _ item: RankedList.Item, _ random: inout SplitMix
    ) -> ItemOperation.Place {
        let beside = list.items.indices.randomElement(using: &random) ?? 0
        let key = ListEditTests.key(list.items[beside].id)
        let (index, place): (Int, ItemOperation.Place) =
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1: (0, .start)
            case 2: (list.items.count, .end)
            case 3: (beside, .before(key))
            default: (beside + 1, .after(key))
            }
        list.insert(item, at: index)
        return place
    }

    func page(_ request: LoadRequest, style: PagingStyle) throws -> Page {
        let (items, hasMore, cursor) = list.page(request, style: style)
        var page = try PatchedList.page(items.map(Self.text), more: hasMore)
        page.cursor = cursor
        return page
    }
}
