import RefreshProtocol

/// The items of a list and their keys. Operations are applied to them one after another. Source:
/// docs/protocol.md, "Live items".
struct KeyedList {
    /// The largest number of operations that the daemon sends in one message.
    private static let operationsMax = 256

    private(set) var items: [JSONValue]
    /// The keys of the items; nil for an item without a key.
    private var keys: [ItemKey?]
    /// How many items have a key.
    private var counts: [ItemKey: Int] = [:]
    private let pointer: JSONPointer

    init(_ items: [JSONValue], keyAt pointer: JSONPointer) {
        self.items = items
        self.pointer = pointer
        keys = items.map { ItemKey(of: $0, at: pointer) }
        for case let key? in keys { counts[key, default: 0] += 1 }
    }

    /// Applies operations. Returns false if one of them does not fit; the list is then in between.
    mutating func apply(_ operations: [JSONValue]) -> Bool {
        operations.count <= Self.operationsMax && operations.allSatisfy { apply($0) }
    }

    /// Whether an item of the list has the key of this item.
    func hasKey(of item: JSONValue) -> Bool {
        ItemKey(of: item, at: pointer).map { counts[$0] != nil } ?? false
    }

    /// Applies an operation. Returns false, and changes nothing, if it does not fit.
    mutating func apply(_ operation: JSONValue) -> Bool {
        guard case .object(let members) = operation else { return false }
        let kinds = members.filter { ["insert", "update", "remove", "move"].contains($0.name) }
        guard kinds.count == 1, let kind = kinds.first else { return false }
        switch kind.name {
        case "insert":
            guard let key = ItemKey(of: kind.value, at: pointer), counts[key] == nil,
                let position = position(in: operation)
            else { return false }
            insert(kind.value, key, at: position)
        case "update":
            guard let key = ItemKey(of: kind.value, at: pointer), let position = position(of: key)
            else { return false }
            items[position] = kind.value
        case "move":
            guard let key = ItemKey(kind.value), let position = position(of: key),
                let place = self.position(in: operation)
            else { return false }
            let (item, _) = remove(at: position)
            insert(item, key, at: place > position ? place - 1 : place)
        default:
            guard let position = ItemKey(kind.value).flatMap({ position(of: $0) }) else {
                return false
            }
            remove(at: position)
        }
        return true
    }

    /// The position of the item with this key; nil if there is not exactly one.
    private func position(of key: ItemKey) -> Int? {
        counts[key] == 1 ? keys.firstIndex(of: key) : nil
    }

    /// The position that an operation names; nil if it names none, or several.
    private func position(in operation: JSONValue) -> Int? {
        switch (operation["at"], operation["before"], operation["after"]) {
        case (.string("start")?, nil, nil): 0
        case (.string("end")?, nil, nil): items.count
        case (nil, let key?, nil): ItemKey(key).flatMap { position(of: $0) }
        case (nil, nil, let key?): ItemKey(key).flatMap { position(of: $0) }.map { $0 + 1 }
        default: nil
        }
    }

    private mutating func insert(_ item: JSONValue, _ key: ItemKey, at position: Int) {
        items.insert(item, at: position)
        keys.insert(key, at: position)
        counts[key, default: 0] += 1
    }

    @discardableResult
    private mutating func remove(at position: Int) -> (item: JSONValue, key: ItemKey?) {
        if let key = keys[position] { counts[key] = nil }
        return (items.remove(at: position), keys.remove(at: position))
    }
}

/// The key of an item. Keys are equal if the daemon considers them equal: strings with the same
/// bytes, or equal numbers.
enum ItemKey: Hashable {
    case text(Bytewise<String>)
    case number(Double)

    init?(_ value: JSONValue) {
        switch value {
        case .string(let text): self = .text(Bytewise(wrappedValue: text))
        case .number(let number): self = .number(number)
        case .null, .bool, .array, .object: return nil
        }
    }

    /// The key at a place in an item; nil if there is none.
    init?(of item: JSONValue, at pointer: JSONPointer) {
        guard let key = item.value(at: pointer).flatMap(ItemKey.init) else { return nil }
        self = key
    }
}

extension JSONValue {
    /// The value at a place in this value; nil if there is none.
    func value(at pointer: JSONPointer) -> JSONValue? {
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
