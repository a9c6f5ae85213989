package import RefreshBroker
package import RefreshProtocol
internal import Testing

/// Pages with keys, and the list of a client that applies patches. Source: docs/protocol.md,
/// "Patches".
package enum PatchedList {
    /// An item of about 400 bytes. Items with another `version` have other bytes.
    package static func item(_ id: Int, version: Int = 0, bytes: Int = 380) -> String {
        #"{"id":\#(id),"version":\#(version),"text":"\#(String(repeating: "x", count: bytes))"}"#
    }

    package static func page(_ items: [String], more: Bool = true) throws -> Page {
        var page = Page(
            items: Array("[\(items.joined(separator: ","))]".utf8), count: items.count, more: more)
        page.itemKeys = ItemKeys(
            of: page, at: try #require(JSONPointer("/id")), hashedBy: SipHash(key: 1, 2))
        return page
    }

    package static func page(
        _ ids: some Sequence<Int>, version: Int = 0, bytes: Int = 380
    ) throws -> Page {
        try page(ids.map { item($0, version: version, bytes: bytes) })
    }

    /// Returns the items of a page.
    package static func items(of page: Page) throws -> [JSONValue] {
        try #require(JSONValue(parsing: String(decoding: page.items, as: UTF8.self)).array)
    }

    /// Returns the list of a client after an `items` message; nil if a patch cannot be applied.
    package static func applying(_ message: JSONValue, to old: [JSONValue]) -> [JSONValue]? {
        switch message["mode"]?.string {
        case "replace": return message["items"]?.array
        case "append": return old + (message["items"]?.array ?? [])
        case "prepend": return (message["items"]?.array ?? []) + old
        default: return patched(message, old)
        }
    }

    /// Returns the list after the operations of a message; nil if one cannot be applied.
    private static func edited(_ message: JSONValue, _ old: [JSONValue]) -> [JSONValue]? {
        var list = old
        for operation in message["operations"]?.array ?? [] {
            guard apply(operation, to: &list) else { return nil }
        }
        return list.count == message["count"]?.number.map { Int($0) } ? list : nil
    }

    private static func apply(_ operation: JSONValue, to list: inout [JSONValue]) -> Bool {
        func index(_ key: JSONValue?) -> Int? { list.firstIndex { $0["id"] == key } }
        if let item = operation["update"] {
            guard let position = index(item["id"]) else { return false }
            list[position] = item
            return true
        }
        if let key = operation["remove"] {
            guard let position = index(key) else { return false }
            list.remove(at: position)
            return true
        }
        let item: JSONValue
        if let key = operation["move"] {
            guard let position = index(key) else { return false }
            item = list.remove(at: position)
        } else {
            guard let new = operation["insert"], index(new["id"]) == nil else { return false }
            item = new
        }
        let place: Int?
        switch operation["at"]?.string {
        case "start": place = 0
        case "end": place = list.count
        default:
            place = index(operation["before"]) ?? index(operation["after"]).map { $0 + 1 }
        }
        guard let place else { return false }
        list.insert(item, at: place)
        return true
    }

    private static func patched(_ message: JSONValue, _ old: [JSONValue]) -> [JSONValue]? {
        if message["operations"] != nil { return edited(message, old) }
        var new: [JSONValue] = []
        for run in message["runs"]?.array ?? [] {
            if let items = run["items"]?.array {
                new += items
                continue
            }
            guard let key = run["from"], let count = run["count"]?.number.map({ Int($0) }),
                let start = onlyIndex(of: key, in: old), start + count <= old.count
            else { return nil }
            new += old[start..<start + count]
        }
        guard Double(new.count) == message["count"]?.number else { return nil }
        return new
    }

    /// Returns the position of the item with the key; nil if no item or several items have it.
    private static func onlyIndex(of key: JSONValue, in items: [JSONValue]) -> Int? {
        let positions = items.indices.filter { items[$0]["id"] == key }
        return positions.count == 1 ? positions[0] : nil
    }
}
