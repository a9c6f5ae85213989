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
            guard let list = list(of: message) else {
                awaitsList = true
                needsRequest = true
                return nil
            }
            items = list
            var whole = message
            whole["mode"] = .string("replace")
            whole["items"] = .array(list)
            whole["runs"] = nil
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

    /// The list that the runs of a patch make from the items; nil if they do not fit.
    private func list(of patch: JSONValue) -> [JSONValue]? {
        guard let pointer, let runs = patch["runs"]?.array else { return nil }
        let positions = positions(of: pointer)
        var list: [JSONValue] = []
        // Each item is kept at most once, so that a patch cannot make a list of any length.
        var keptMax = items.count
        for run in runs {
            if let added = run["items"]?.array {
                list += added
                continue
            }
            guard let key = run["from"].flatMap(Key.init), let count = run["count"]?.number,
                let start = positions[key], start != Self.ambiguous, count >= 0,
                count.rounded() == count, count <= Double(min(items.count - start, keptMax))
            else { return nil }
            keptMax -= Int(count)
            list += items[start..<start + Int(count)]
        }
        return Double(list.count) == patch["count"]?.number ? list : nil
    }

    /// By key, the position of the item that has it, or `ambiguous`.
    private func positions(of pointer: JSONPointer) -> [Key: Int] {
        var positions: [Key: Int] = [:]
        positions.reserveCapacity(items.count)
        for (position, item) in items.enumerated() {
            guard let key = item.value(at: pointer).flatMap(Key.init) else { continue }
            positions[key] = positions[key] == nil ? position : Self.ambiguous
        }
        return positions
    }

    /// The key of an item. Keys are equal if the daemon considers them equal: strings with the same
    /// bytes, or equal numbers.
    private enum Key: Hashable {
        case text(Bytewise<String>)
        case number(Double)

        init?(_ value: JSONValue) {
            switch value {
            case .string(let text): self = .text(Bytewise(wrappedValue: text))
            case .number(let number): self = .number(number)
            case .null, .bool, .array, .object: return nil
            }
        }
    }
}

extension JSONValue {
    /// The value at a place in this value; nil if there is none.
    fileprivate func value(at pointer: JSONPointer) -> JSONValue? {
        var value = self
        for token in pointer.tokens {
            let next: JSONValue? =
                switch value {
                case .object(let members): members.last { $0.name.hasBytes(of: token) }?.value
                case .array(let elements):
                    Self.index(token).flatMap { elements.dropFirst($0).first }
                case .null, .bool, .number, .string: nil
                }
            guard let next else { return nil }
            value = next
        }
        return value
    }

    /// The index of an element. Source: RFC 6901, section 4.
    private static func index(_ token: String) -> Int? {
        let isIndex = token == "0" || token.utf8.first != UInt8(ascii: "0")
        guard isIndex, token.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        return Int(token)
    }
}
