internal import RefreshProtocol
internal import ScenarioKit

extension ConformanceSession {
    /// The messages that the server has sent in this case, in order.
    func receivedMessages() -> [JSONValue] {
        transcript.flatMap(\.exchanges).filter { $0.side == .daemon }.flatMap { exchange in
            guard let frame = try? JSONValue(parsing: exchange.text) else { return [JSONValue]() }
            return frame.array ?? [frame]
        }
    }

    /// Applies all `items` messages of the view `list`, and compares the resulting list.
    func expectList(_ expected: [JSONValue]) throws(StepFailure) {
        var list = ReceivedItems()
        for message in receivedMessages()
        where message["type"]?.string == "items" && message["view"]?.string == "list" {
            try list.apply(message)
        }
        guard list.items == expected else {
            throw StepFailure(
                expected: "the items \(JSONValue.array(expected).text)",
                came: JSONValue.array(list.items).text)
        }
    }
}

/// The list of a client that applies patches and operations. Source:
/// docs/protocol.md, "Patches" and "Live items".
struct ReceivedItems {
    private(set) var items: [JSONValue] = []

    /// Applies an `items` message.
    mutating func apply(_ message: JSONValue) throws(StepFailure) {
        let page = message["items"]?.array ?? []
        switch message["mode"]?.string {
        case "append": items += page
        case "prepend": items = page + items
        case "patch": items = try patched(message)
        default: items = page
        }
    }

    private func patched(_ message: JSONValue) throws(StepFailure) -> [JSONValue] {
        if let operations = message["operations"]?.array {
            return try edited(by: operations, message)
        }
        var new: [JSONValue] = []
        let runs = message["runs"]?.array ?? []
        for run in runs {
            if let added = run["items"]?.array {
                new += added
                continue
            }
            let positions = items.indices.filter { items[$0]["id"] == run["from"] }
            guard positions.count == 1 else {
                throw failure("`from` is the key of exactly one item of the list", run)
            }
            let count = run["count"]?.number.flatMap { Int(exactly: $0) } ?? 0
            guard count > 0, positions[0] + count <= items.count else {
                throw failure("`count` items of the list follow", run)
            }
            new += items[positions[0]..<positions[0] + count]
        }
        guard message["count"]?.number == Double(new.count) else {
            throw failure("`count` is \(new.count), the number of items of the runs", message)
        }
        guard Set(new.map { $0["id"] }).count == new.count else {
            throw failure("each key occurs in the new list once", message)
        }
        let bytes = JSONValue.array(new).text.utf8.count
        guard JSONValue.array(runs).text.utf8.count * 4 <= bytes * 3 else {
            throw failure("`runs` has at most three quarters of \(bytes) bytes", message)
        }
        return new
    }

    private func failure(_ expected: String, _ came: JSONValue) -> StepFailure {
        StepFailure(expected: "a patch in which \(expected)", came: came.text)
    }

    // MARK: Operations

    private func edited(
        by operations: [JSONValue], _ message: JSONValue
    ) throws(StepFailure) -> [JSONValue] {
        var new = items
        for operation in operations { try apply(operation, to: &new) }
        guard message["count"]?.number == Double(new.count) else {
            throw failure("`count` is \(new.count), the number of items afterwards", message)
        }
        return new
    }

    private func apply(
        _ operation: JSONValue, to list: inout [JSONValue]
    ) throws(StepFailure) {
        if let item = operation["insert"] {
            guard !list.contains(where: { $0["id"] == item["id"] }) else {
                throw failure("no item of the list has the key of an `insert`", operation)
            }
            list.insert(item, at: try place(of: operation, in: list))
        } else if let item = operation["update"] {
            list[try position(of: item["id"], in: list, operation)] = item
        } else if let key = operation["remove"] {
            list.remove(at: try position(of: key, in: list, operation))
        } else {
            let item = list.remove(at: try position(of: operation["move"], in: list, operation))
            list.insert(item, at: try place(of: operation, in: list))
        }
    }

    private func place(of operation: JSONValue, in list: [JSONValue]) throws(StepFailure) -> Int {
        if let key = operation["before"] { return try position(of: key, in: list, operation) }
        if let key = operation["after"] { return try position(of: key, in: list, operation) + 1 }
        return operation["at"]?.string == "end" ? list.count : 0
    }

    private func position(
        of key: JSONValue?, in list: [JSONValue], _ operation: JSONValue
    ) throws(StepFailure) -> Int {
        let positions = list.indices.filter { list[$0]["id"] == key }
        guard positions.count == 1 else {
            throw failure("a key is the key of exactly one item of the list", operation)
        }
        return positions[0]
    }
}
