import BrokerBench
import RefreshBroker
import RefreshProtocol

/// The backend of a live list. It performs each edit once, by its idempotency key.
final class LiveBoard {
    let plan: LivePlan
    private let hash: SipHash
    private var list: RankedList
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
        list = RankedList(1..<plan.count + 1)
        lastID = plan.count
    }

    /// The texts of all items.
    var texts: [String] { list.items.map(Self.text) }

    private static func text(_ item: RankedList.Item) -> String {
        #"{"id":\#(item.id),"v":\#(item.version)}"#
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
        let (items, hasMore, cursor) = list.page(request, style: plan.style)
        let texts = items.map(Self.text)
        return Page(
            items: Array("[\(texts.joined(separator: ","))]".utf8), count: texts.count,
            more: hasMore, cursor: cursor)
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
        let index = generator.below(list.items.count)
        switch kind {
        case .update where !list.items.isEmpty:
            list.update(at: index, to: nextVersion())
            return #"{"update":\#(Self.text(list.items[index]))}"#
        case .remove where list.items.count > 3:
            return #"{"remove":\#(list.remove(at: index).id)}"#
        case .move where list.items.count > 1:
            let item = list.remove(at: index)
            return #"{"move":\#(item.id),\#(put(item, &generator))}"#
        default:
            lastID += 1
            let item = RankedList.Item(id: lastID, version: nextVersion())
            return #"{"insert":\#(Self.text(item)),\#(put(item, &generator))}"#
        }
    }

    /// Inserts an item at a random place, and returns how the operation names this place.
    private func put(_ item: RankedList.Item, _ generator: inout SeededGenerator) -> String {
        let count = list.items.count
        let beside = generator.below(count)
        guard count > 0, generator.chance(60) else {
            let isStart = count == 0 || generator.chance(60)
            list.insert(item, at: isStart ? 0 : count)
            return #""at":"\#(isStart ? "start" : "end")""#
        }
        let isBefore = generator.chance(50)
        let neighbour = list.items[beside].id
        list.insert(item, at: isBefore ? beside : beside + 1)
        return #""\#(isBefore ? "before" : "after")":\#(neighbour)"#
    }

    // MARK: Edits

    /// Performs an edit, unless it was performed before. Returns the item that the backend returns;
    /// nil if it returns none.
    func perform(_ request: EditRequest) -> Result<EditedItem?, LoadFailure> {
        let isDone = outcomes[request.idempotencyKey] ?? apply(request)
        outcomes[request.idempotencyKey] = isDone
        guard isDone else { return .failure(LoadFailure(.backendRejected, "It does not fit.")) }
        let key = request.operation.key
        guard plan.returnsItems, let item = list.item(of: key) else { return .success(nil) }
        return .success(EditedItem(key, Array(Self.text(item).utf8), hashedBy: hash))
    }

    private func apply(_ request: EditRequest) -> Bool {
        guard list.perform(request.operation) else { return false }
        guard request.operation.kind == .insert || request.operation.kind == .update else {
            return true
        }
        let version = RankedList.version(in: request.operation)
        if let writer = writers[version] {
            mistake = "one edit was performed with the keys \(writer), \(request.idempotencyKey)"
        }
        writers[version] = request.idempotencyKey
        return true
    }
}
