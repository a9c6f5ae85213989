import RefreshProtocol
import Testing
import Workbench

@testable import RefreshClient

/// A list of items with numbers as keys, and the edits that are not answered yet.
struct EditModel {
    typealias Item = (id: Int, version: Int)

    /// The list of the daemon.
    var list: [Item]
    var pending: [(id: String, operation: EditOperation)] = []

    init(ids: [Int]) { list = ids.map { ($0, 0) } }

    /// The list with the edits.
    var shown: [Item] {
        pending.reduce(list) { list, edit in Self.list(list, after: edit.operation) ?? list }
    }

    /// An operation on items that the list has, or can have.
    func randomOperation(_ step: Int, using random: inout SeededGenerator) -> EditOperation {
        let id = Int.random(in: 1...14, using: &random)
        let other = JSONValue.number(Double(Int.random(in: 1...14, using: &random)))
        let places: [EditOperation.Place] = [.start, .end, .before(other), .after(other)]
        let place = places[Int.random(in: 0..<4, using: &random)]
        let item = EditTests.item(id, step + 1)
        return switch Int.random(in: 0..<5, using: &random) {
        case 0, 1: .insert(item, place)
        case 2: .update(item)
        case 3: .remove(.number(Double(id)))
        default: .move(.number(Double(id)), place)
        }
    }

    /// Performs an operation on the list of the daemon. Returns the message that the client
    /// receives, with a comma; nil if the operation does not fit.
    mutating func perform(_ operation: EditOperation) -> String? {
        guard let after = Self.list(list, after: operation) else { return nil }
        var sent = operation.json
        if case .insert(let item, _) = operation, list.contains(where: { $0.id == Self.id(item) }) {
            sent = EditOperation.update(item).json
        }
        list = after
        return #"{"type":"items","view":"list","load":"1.3","mode":"patch","#
            + #""count":\#(list.count),"operations":[\#(sent.text)]},"#
    }

    private static func id(_ value: JSONValue) -> Int? {
        (value["id"] ?? value).number.map { Int($0) }
    }

    /// The list after an operation; nil if it does not fit.
    private static func list(_ list: [Item], after operation: EditOperation) -> [Item]? {
        var list = list
        func position(_ value: JSONValue) -> Int? { list.firstIndex { $0.id == id(value) } }
        func target(_ place: EditOperation.Place) -> Int? {
            switch place {
            case .start: 0
            case .end: list.count
            case .before(let key): position(key)
            case .after(let key): position(key).map { $0 + 1 }
            }
        }
        switch operation {
        case .insert(let value, let place):
            let item = (id: id(value) ?? 0, version: Int(value["v"]?.number ?? 0))
            if let present = position(value) {
                list[present] = item
            } else {
                guard let target = target(place) else { return nil }
                list.insert(item, at: target)
            }
        case .update(let value):
            guard let present = position(value) else { return nil }
            list[present].version = Int(value["v"]?.number ?? 0)
        case .remove(let key):
            guard let present = position(key) else { return nil }
            list.remove(at: present)
        case .move(let key, let place):
            guard let present = position(key), let target = target(place) else { return nil }
            let item = list.remove(at: present)
            list.insert(item, at: target > present ? target - 1 : target)
        case .refresh: break
        }
        return list
    }
}

extension EditTests {
    @Test("After random edits, live items and losses, the list is that of a model")
    func model() throws {
        for seed in UInt64(0)..<80 {
            var random = SeededGenerator(seed: seed)
            var client = Client(Array(1...8))
            var model = EditModel(ids: Array(1...8))
            for step in 0..<60 {
                let comment: Comment = "seed \(seed), step \(step)"
                switch Int.random(in: 0..<10, using: &random) {
                case 0...3:
                    let operation = model.randomOperation(step, using: &random)
                    model.pending.append((try client.edit(operation), operation))
                case 4, 5:
                    guard !model.pending.isEmpty else { continue }
                    let (id, operation) = model.pending.removeFirst()
                    let sent = model.perform(operation)
                    client.answer(
                        id, sent == nil ? "rolledBack" : "confirmed", before: sent ?? "")
                case 6:
                    let operation = model.randomOperation(step, using: &random)
                    if let sent = model.perform(operation) {
                        client.receive("[\(sent.dropLast())]")
                    }
                case 7: client.resume()
                case 8:
                    client.lose()
                    client.begin(model.list.map(\.id))
                    model.list = model.list.map { ($0.id, 0) }
                default:
                    guard let id = model.pending.randomElement(using: &random)?.id else { continue }
                    client.undo(id)
                }
                let ids = client.items.map { $0["id"]?.number ?? 0 }
                #expect(Set(ids).count == ids.count, comment)
                #expect(client.items == model.shown.map { Self.item($0.id, $0.version) }, comment)
                #expect(client.view.pendingEdits.map(\.id) == model.pending.map(\.id), comment)
            }
        }
    }
}
