import RefreshProtocol

/// The items of a view as the daemon has sent them. Patches are applied to them. Source:
/// docs/protocol.md, "Patches".
struct ListPatcher: Hashable, Sendable {
    /// The place of the key in an item; nil if the view receives no patches.
    private var pointer: JSONPointer?
    private(set) var items: [JSONValue] = []
    /// Whether a patch could not be applied, and no whole list has arrived since.
    private(set) var awaitsList = false
    /// Whether the whole list must be requested.
    private var needsRequest = false
    /// The position of a key that several items have.
    private static let ambiguous = -1

    /// Handles `attached`. `keepsList`: whether the session was resumed, so that the view keeps its
    /// items.
    mutating func attach(itemKey: String?, keepsList: Bool) {
        pointer = itemKey.flatMap { JSONPointer($0) }
        guard !keepsList else { return }
        items = []
        awaitsList = false
        needsRequest = false
    }

    /// Sets the items of a session that an earlier process had.
    mutating func restore(_ items: [JSONValue]) { self.items = items }

    /// The daemon has removed the list.
    mutating func clear() { items = [] }

    /// Applies an `items` message. Returns the message to show, which is one with the mode
    /// `replace` in place of a patch; nil if nothing is shown.
    mutating func apply(_ message: JSONValue) -> JSONValue? {
        let mode = message["mode"]?.string
        let page = message["items"]?.array ?? []
        switch mode {
        case "append" where !awaitsList: items += page
        case "prepend" where !awaitsList: items = page + items
        case "patch" where !awaitsList:
            guard let list = list(of: message), list.fits(message["count"]) else {
                awaitsList = true
                needsRequest = true
                return nil
            }
            items = list
            var whole = message
            whole["mode"] = .string("replace")
            whole["items"] = .array(list)
            whole["runs"] = nil
            whole["operations"] = nil
            return whole
        case "append", "prepend", "patch": return nil
        default:
            items = page
            awaitsList = false
            needsRequest = false
        }
        return message
    }

    /// Whether the whole list must be requested now. It is true once for each patch that could not
    /// be applied.
    mutating func takeRequest() -> Bool {
        defer { needsRequest = false }
        return needsRequest
    }

    /// The list that a patch makes from the items; nil if it does not fit.
    private func list(of patch: JSONValue) -> [JSONValue]? {
        guard let pointer else { return nil }
        if let operations = patch["operations"]?.array {
            var list = KeyedList(items, keyAt: pointer)
            return list.apply(operations) ? list.items : nil
        }
        return patch["runs"]?.array.flatMap { list(of: $0, pointer) }
    }

    private func list(of runs: [JSONValue], _ pointer: JSONPointer) -> [JSONValue]? {
        let positions = positions(of: pointer)
        var list: [JSONValue] = []
        // Each item is kept at most once, so that a patch cannot make a list of any length.
        var keptMax = items.count
        for run in runs {
            if let added = run["items"]?.array {
                list += added
                continue
            }
            guard let key = run["from"].flatMap(ItemKey.init), let count = run["count"]?.number,
                let start = positions[key], start != Self.ambiguous, count >= 0,
                count.rounded() == count, count <= Double(min(items.count - start, keptMax))
            else { return nil }
            keptMax -= Int(count)
            list += items[start..<start + Int(count)]
        }
        return list
    }

    /// By key, the position of the item that has it, or `ambiguous`.
    private func positions(of pointer: JSONPointer) -> [ItemKey: Int] {
        var positions: [ItemKey: Int] = [:]
        positions.reserveCapacity(items.count)
        for (position, item) in items.enumerated() {
            guard let key = ItemKey(of: item, at: pointer) else { continue }
            positions[key] = positions[key] == nil ? position : Self.ambiguous
        }
        return positions
    }
}

extension [JSONValue] {
    /// Whether this is the number of items that a message states.
    fileprivate func fits(_ stated: JSONValue?) -> Bool { Double(count) == stated?.number }
}
