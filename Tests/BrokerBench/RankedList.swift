package import RefreshBroker
package import RefreshProtocol

/// The list of a backend. Each item has an identifier, and a version that its changes raise.
package struct RankedList {
    /// An item. Cursors refer to its rank.
    package struct Item: Hashable {
        package var id: Int
        package var version = 0
        package var rank: Double = 0

        package init(id: Int, version: Int = 0) {
            self.id = id
            self.version = version
        }
    }

    package private(set) var items: [Item] = []

    package init(_ ids: some Sequence<Int>) {
        items = ids.enumerated().map { rank, id in
            var item = Item(id: id)
            item.rank = Double(rank)
            return item
        }
    }

    // MARK: Changes

    package mutating func insert(_ item: Item, at index: Int) {
        let before = index > 0 ? items[index - 1].rank : (items.first?.rank ?? 0) - 2
        let after = index < items.count ? items[index].rank : before + 2
        var item = item
        item.rank = (before + after) / 2
        items.insert(item, at: index)
    }

    package mutating func remove(at index: Int) -> Item { items.remove(at: index) }

    package mutating func update(at index: Int, to version: Int) { items[index].version = version }

    /// Performs the operation of an edit. Returns false if it does not fit.
    package mutating func perform(_ operation: ItemOperation) -> Bool {
        let present = index(of: operation.key)
        switch (operation.kind, present) {
        case (.insert, let present?), (.update, let present?):
            update(at: present, to: Self.version(in: operation))
        case (.insert, nil):
            guard let target = index(of: operation.place), let id = Self.id(of: operation.key)
            else { return false }
            insert(Item(id: id, version: Self.version(in: operation)), at: target)
        case (.remove, let present?): _ = remove(at: present)
        case (.move, let present?):
            guard let target = index(of: operation.place) else { return false }
            insert(remove(at: present), at: target > present ? target - 1 : target)
        case (.refresh, _?): break
        case (_, nil): return false
        }
        return true
    }

    package func item(of key: ItemOperation.Key) -> Item? { index(of: key).map { items[$0] } }

    private func index(of key: ItemOperation.Key) -> Int? {
        Self.id(of: key).flatMap { id in items.firstIndex { $0.id == id } }
    }

    private func index(of place: ItemOperation.Place?) -> Int? {
        switch place {
        case .start: 0
        case .end: items.count
        case .before(let key): index(of: key)
        case .after(let key): index(of: key).map { $0 + 1 }
        case nil: nil
        }
    }

    private static func id(of key: ItemOperation.Key) -> Int? {
        Int(String(decoding: key.text, as: UTF8.self))
    }

    /// The version, which is the member `v` of the operation's item.
    package static func version(in operation: ItemOperation) -> Int {
        let item = try? JSONValue(parsing: String(decoding: operation.item, as: UTF8.self))
        return Int(item?["v"]?.number ?? 0)
    }

    // MARK: Pages

    /// Returns the items that a request asks for, whether the list has more behind them, and the
    /// cursor of the next page.
    package func page(
        _ request: LoadRequest, style: PagingStyle
    ) -> (items: ArraySlice<Item>, hasMore: Bool, cursor: String?) {
        let start =
            switch style {
            case .offset: request.offset
            case .cursor:
                request.cursor.flatMap(Double.init).map { cursor in
                    items.firstIndex { $0.rank > cursor } ?? items.count
                } ?? 0
            case .page, .none: (request.page - 1) * request.size
            }
        let part = items.dropFirst(start).prefix(request.size)
        let hasMore = min(start, items.count) + part.count < items.count
        let cursor = style == .cursor && hasMore ? part.last.map { String($0.rank) } : nil
        return (part, hasMore, cursor)
    }
}
