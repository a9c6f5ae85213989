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

    private static func patched(_ message: JSONValue, _ old: [JSONValue]) -> [JSONValue]? {
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
