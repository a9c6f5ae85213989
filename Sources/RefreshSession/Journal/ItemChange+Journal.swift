internal import Foundation
import RefreshBroker
import RefreshProtocol

/// The operations of a change, in the line `changed` of a journal. Source: docs/journal.md,
/// "Inputs".
extension ByteBuffer {
    /// Appends the member `items`.
    mutating func append(_ items: [ItemChange]) {
        beginMember("items")
        append(0x5B as UInt8)
        for (position, change) in items.enumerated() {
            if position > 0 { append(0x2C as UInt8) }
            append(change)
        }
        append(0x5D as UInt8)
    }

    private mutating func append(_ change: ItemChange) {
        append(literal: #"{"operations":["#)
        for (position, operation) in change.operations.enumerated() {
            if position > 0 { append(0x2C as UInt8) }
            append(operation)
        }
        append(0x5D as UInt8)
        if !change.parameters.isEmpty, let json = try? JSONEncoder().encode(change.parameters) {
            appendMember("parameters", String(decoding: json, as: UTF8.self))
        }
        if let subject = change.subject { appendMember("subject", subject) }
        append(0x7D as UInt8)
    }

    private mutating func append(_ operation: ItemOperation) {
        append(literal: #"{"kind":"#)
        appendQuoted(operation.kind.rawValue)
        append(operation.key, as: "key", hash: "hash")
        switch operation.place {
        case .start: appendMember("at", "start")
        case .end: appendMember("at", "end")
        case .before(let key): append(key, as: "before", hash: "placeHash")
        case .after(let key): append(key, as: "after", hash: "placeHash")
        case nil: break
        }
        if !operation.item.isEmpty {
            appendMember("item", String(decoding: operation.item, as: UTF8.self))
            appendMember("content", String(operation.contentHash, radix: 16))
        }
        append(0x7D as UInt8)
    }

    private mutating func append(
        _ key: ItemOperation.Key, as name: StaticString, hash: StaticString
    ) {
        appendMember(name, String(decoding: key.text, as: UTF8.self))
        appendMember(hash, String(key.hash, radix: 16))
    }
}

extension JournalMembers {
    /// Returns the operations of a change; nil if the line has none.
    func itemChangesIfAny() throws(JournalLineError) -> [ItemChange]? {
        guard let items = try listIfAny("items") else { return nil }
        var changes: [ItemChange] = []
        for item in items { changes.append(try JournalMembers(item).itemChange()) }
        return changes
    }

    private func itemChange() throws(JournalLineError) -> ItemChange {
        var operations: [ItemOperation] = []
        for operation in try listIfAny("operations") ?? [] {
            operations.append(try JournalMembers(operation).operation())
        }
        var parameters: [LoadParameter] = []
        if let json = try textIfAny("parameters") {
            guard
                let read = try? JSONDecoder().decode([LoadParameter].self, from: Data(json.utf8))
            else { throw JournalLineError("has invalid `parameters`") }
            parameters = read
        }
        return ItemChange(
            parameters: parameters, subject: try textIfAny("subject"), operations)
    }

    private func operation() throws(JournalLineError) -> ItemOperation {
        var place: ItemOperation.Place?
        if let at = try textIfAny("at") {
            place = at == "start" ? .start : .end
        } else if let before = try keyIfAny("before", hash: "placeHash") {
            place = .before(before)
        } else if let after = try keyIfAny("after", hash: "placeHash") {
            place = .after(after)
        }
        guard let key = try keyIfAny("key", hash: "hash") else {
            throw JournalLineError("has no `key`")
        }
        return ItemOperation(
            try choice("kind"), key, at: place, item: Array((try textIfAny("item") ?? "").utf8),
            contentHash: try hashIfAny("content") ?? 0)
    }

    private func keyIfAny(
        _ name: String, hash: String
    ) throws(JournalLineError) -> ItemOperation.Key? {
        guard let text = try textIfAny(name) else { return nil }
        guard let hash = try hashIfAny(hash) else { throw JournalLineError("has no `\(hash)`") }
        return ItemOperation.Key(Array(text.utf8), hash: hash)
    }

    private func hashIfAny(_ name: String) throws(JournalLineError) -> UInt64? {
        guard let text = try textIfAny(name) else { return nil }
        guard let hash = UInt64(text, radix: 16) else {
            throw JournalLineError("has an invalid `\(name)`")
        }
        return hash
    }
}
