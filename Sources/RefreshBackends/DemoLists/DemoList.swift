internal import RefreshBroker
internal import RefreshProtocol

/// A list in memory that the clients of the demo edit. Source: docs/backends.md, "The feeds cards
/// and messages".
struct DemoList: Sendable {
    struct Item: Hashable, Sendable {
        /// The JSON text of the key.
        let key: [UInt8]
        /// The members of the item that are strings.
        var texts: [String: String]
        /// The JSON text of the item.
        var json: [UInt8]
    }

    /// The largest number of items. Further ones are refused.
    static let countMax = 500
    /// The largest number of bytes of a key.
    static let keyBytesMax = 128

    private(set) var items: [Item]

    init(_ items: [Item]) {
        self.items = items
    }

    /// Returns a page of the list.
    func page(for request: LoadRequest, first: Int) -> Page {
        let start = min(PagePosition.start(of: request, paging: .page, first: first), items.count)
        let end = start + min(max(0, request.size), items.count - start)
        let texts = items[start..<end].map(\.json).joined(separator: [UInt8(ascii: ",")])
        return Page(
            items: [UInt8(ascii: "[")] + texts + [UInt8(ascii: "]")], count: end - start,
            more: end < items.count, total: items.count)
    }

    func item(_ key: [UInt8]) -> Item? { items.first { $0.key == key } }

    /// Returns the item next to which an item at `place` is: the one behind which it goes, or, at
    /// the start of the list, the one before which it goes.
    func neighbour(at place: ItemOperation.Place?) -> Item? {
        switch place {
        case .before(let key), .after(let key): item(key.text)
        case .end: items.last
        case .start, nil: items.first
        }
    }

    /// Inserts an item with a new key. An unknown neighbour counts as the start of the list.
    mutating func insert(_ item: Item, at place: ItemOperation.Place?) throws(LoadFailure) {
        guard items.count < Self.countMax else {
            throw LoadFailure(.backendRejected, "The list of the demo is full.")
        }
        guard item.key.count <= Self.keyBytesMax, self.item(item.key) == nil else {
            throw LoadFailure(
                .backendRejected,
                "An item needs a key of its own, of at most \(Self.keyBytesMax) bytes.")
        }
        items.insert(item, at: index(of: place))
    }

    mutating func remove(_ key: [UInt8]) {
        items.removeAll { $0.key == key }
    }

    /// Removes the last items beyond this number. Returns them.
    mutating func trim(to count: Int) -> [Item] {
        let removed = items.dropFirst(count)
        items.removeLast(removed.count)
        return Array(removed)
    }

    private func index(of place: ItemOperation.Place?) -> Int {
        switch place {
        case .before(let key): items.firstIndex { $0.key == key.text } ?? 0
        case .after(let key): items.firstIndex { $0.key == key.text }.map { $0 + 1 } ?? 0
        case .end: items.count
        case .start, nil: 0
        }
    }
}

extension DemoList.Item {
    /// Reads the members of a JSON object that are strings.
    static func texts(in item: [UInt8]) throws(AnswerFault) -> [String: String] {
        var scanner = JSONScanner(item.span, limits: AnswerFault.limits)
        var texts: [String: String] = [:]
        try scanner.require(UInt8(ascii: "{"))
        if scanner.consumeByte(UInt8(ascii: "}")) { return texts }
        repeat {
            scanner.skipSpace()
            let name = try scanner.readAnswerString().text(in: scanner.bytes)
            try scanner.require(UInt8(ascii: ":"))
            scanner.skipSpace()
            if scanner.peek == UInt8(ascii: "\"") {
                texts[name] = try scanner.readAnswerString().text(in: scanner.bytes)
            } else {
                _ = try scanner.skipAnswerValue(inside: 1)
            }
        } while scanner.consumeByte(UInt8(ascii: ","))
        try scanner.require(UInt8(ascii: "}"))
        return texts
    }

    /// An item whose members are its key, `time` in milliseconds since 1970 if it has one, and
    /// these texts, in the order of their names.
    init(key: [UInt8], time: Int64? = nil, _ texts: [String: String]) {
        var json = ByteBuffer()
        json.append(literal: "{\"id\":")
        for byte in key { json.append(byte) }
        if let time {
            json.append(literal: ",\"time\":")
            json.append(Int(time))
        }
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
            json.append(UInt8(ascii: ","))
            json.appendQuoted(name)
            json.append(UInt8(ascii: ":"))
            json.appendQuoted(text)
        }
        json.append(UInt8(ascii: "}"))
        self.init(key: key, texts: texts, json: json.bytes)
    }
}
