import RefreshBroker
import RefreshProtocol

/// The backend of a live list. It performs each edit once, by its idempotency key.
final class LiveBoard {
    /// An item. Cursors refer to its rank.
    struct Item: Hashable {
        var id: Int
        var version: Int
        var rank: Double

        var text: String { #"{"id":\#(id),"v":\#(version)}"# }
    }

    let plan: LivePlan
    private let hash: SipHash
    private(set) var items: [Item]
    private var lastID: Int
    private var lastVersion = 0
    /// By idempotency key, whether the edit was performed.
    private(set) var outcomes: [String: Bool] = [:]
    /// The keys of the edits that have written each version of an item. Each edit writes another
    /// version.
    private var writers: [Int: String] = [:]
    /// What has gone wrong; nil: nothing.
    private(set) var mistake: String?

    init(_ plan: LivePlan, hashedBy hash: SipHash) {
        self.plan = plan
        self.hash = hash
        items = (0..<plan.count).map { Item(id: $0 + 1, version: 0, rank: Double($0)) }
        lastID = plan.count
    }

    /// The version that the next edit of a client writes.
    func nextVersion() -> Int {
        lastVersion += 1
        return lastVersion
    }

    /// The reader of reports, which a node needs too.
    var reader: ChangeReader {
        ChangeReader(feeds: [LivePlan.feed: .init(itemKey: LivePlan.itemKey)], hashedBy: hash)
    }

    // MARK: Pages

    func page(_ request: LoadRequest) -> Page {
        let start =
            switch plan.style {
            case .offset: request.offset
            case .cursor:
                request.cursor.flatMap(Double.init).map { cursor in
                    items.firstIndex { $0.rank > cursor } ?? items.count
                } ?? 0
            case .page, .none: (request.page - 1) * request.size
            }
        let part = items.dropFirst(start).prefix(request.size)
        let end = min(start, items.count) + part.count
        let hasMore = end < items.count
        return Page(
            items: Array("[\(part.map(\.text).joined(separator: ","))]".utf8), count: part.count,
            more: hasMore,
            cursor: plan.style == .cursor && hasMore ? part.last.map { String($0.rank) } : nil)
    }

    // MARK: Changes

    /// Changes the list. Returns the report of the change.
    func change(_ generator: inout SeededGenerator) -> FeedChange? {
        let operations = (0..<1 + generator.below(3)).map { _ in changeOnce(&generator) }
        let report = #"{"operations":[\#(operations.joined(separator: ","))]}"#
        return try? reader.change(of: LivePlan.feed, in: Array(report.utf8).span)
    }

    private func changeOnce(_ generator: inout SeededGenerator) -> String {
        let kind = generator.pick(plan.kinds)
        let index = generator.below(items.count)
        switch kind {
        case .update where !items.isEmpty:
            items[index].version = nextVersion()
            return #"{"update":\#(items[index].text)}"#
        case .remove where items.count > 3: return #"{"remove":\#(items.remove(at: index).id)}"#
        case .move where items.count > 1:
            let item = items.remove(at: index)
            return #"{"move":\#(item.id),\#(put(item, &generator))}"#
        default:
            lastID += 1
            let item = Item(id: lastID, version: nextVersion(), rank: 0)
            return #"{"insert":\#(item.text),\#(put(item, &generator))}"#
        }
    }

    /// Inserts an item at a random place, and returns how the operation names this place.
    private func put(_ item: Item, _ generator: inout SeededGenerator) -> String {
        let beside = generator.below(items.count)
        guard !items.isEmpty, generator.chance(60) else {
            let isStart = items.isEmpty || generator.chance(60)
            insert(item, at: isStart ? 0 : items.count)
            return #""at":"\#(isStart ? "start" : "end")""#
        }
        let isBefore = generator.chance(50)
        let neighbour = items[beside].id
        insert(item, at: isBefore ? beside : beside + 1)
        return #""\#(isBefore ? "before" : "after")":\#(neighbour)"#
    }

    private func insert(_ item: Item, at index: Int) {
        let before = index > 0 ? items[index - 1].rank : (items.first?.rank ?? 0) - 2
        let after = index < items.count ? items[index].rank : before + 2
        var item = item
        item.rank = (before + after) / 2
        items.insert(item, at: index)
    }

    // MARK: Edits

    /// Performs an edit, unless it was performed before. Returns the item that the backend returns;
    /// nil if it returns none.
    func perform(_ request: EditRequest) -> Result<EditedItem?, LoadFailure> {
        let isDone = outcomes[request.idempotencyKey] ?? apply(request.operation, request)
        outcomes[request.idempotencyKey] = isDone
        guard isDone else { return .failure(LoadFailure(.backendRejected, "It does not fit.")) }
        guard plan.returnsItems, let item = item(of: request.operation.key) else {
            return .success(nil)
        }
        return .success(EditedItem(request.operation.key, Array(item.text.utf8), hashedBy: hash))
    }

    private func item(of key: ItemOperation.Key) -> Item? { index(of: key).map { items[$0] } }

    private func index(of key: ItemOperation.Key) -> Int? {
        Int(String(decoding: key.text, as: UTF8.self)).flatMap { id in
            items.firstIndex { $0.id == id }
        }
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

    private func apply(_ operation: ItemOperation, _ request: EditRequest) -> Bool {
        let value = try? JSONValue(parsing: String(decoding: operation.item, as: UTF8.self))
        let version = value?["v"]?.number.map { Int($0) } ?? 0
        let present = index(of: operation.key)
        switch (operation.kind, present) {
        case (.insert, let present?), (.update, let present?):
            items[present].version = version
            recordWriter(of: version, request)
        case (.insert, nil):
            guard let target = index(of: operation.place), let id = value?["id"]?.number else {
                return false
            }
            insert(Item(id: Int(id), version: version, rank: 0), at: target)
            recordWriter(of: version, request)
        case (.remove, let present?): items.remove(at: present)
        case (.move, let present?):
            guard let target = index(of: operation.place) else { return false }
            let item = items.remove(at: present)
            insert(item, at: target > present ? target - 1 : target)
        case (.refresh, _?): break
        case (_, nil): return false
        }
        return true
    }

    private func recordWriter(of version: Int, _ request: EditRequest) {
        if let writer = writers[version] {
            mistake = "one edit was performed with the keys \(writer), \(request.idempotencyKey)"
        }
        writers[version] = request.idempotencyKey
    }
}
