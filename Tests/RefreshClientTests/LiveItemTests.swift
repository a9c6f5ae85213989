import RefreshProtocol
import Testing
import Workbench

@testable import RefreshClient

/// Operations on the items of a list. Source: docs/protocol.md, "Live items".
struct LiveItemTests {
    private static func json(_ text: String) -> JSONValue {
        (try? JSONValue(parsing: text)) ?? .null
    }

    private static func patcher(_ items: String) -> ListPatcher {
        var patcher = ListPatcher()
        patcher.attach(itemKey: "/id", keepsList: false)
        _ = patcher.apply(json(#"{"mode":"replace","items":\#(items)}"#))
        return patcher
    }

    private static func message(_ operations: String, count: Int) -> JSONValue {
        json(
            #"{"type":"items","view":"list","load":"1.2","mode":"patch","count":\#(count),"#
                + #""more":true,"operations":\#(operations)}"#)
    }

    @Test(
        "Operations are applied one after another",
        arguments: [
            (#"[{"insert":{"id":9},"at":"start"}]"#, #"[{"id":9},{"id":1},{"id":"1"},{"id":2}]"#),
            (#"[{"insert":{"id":9},"at":"end"}]"#, #"[{"id":1},{"id":"1"},{"id":2},{"id":9}]"#),
            (
                #"[{"insert":{"id":9},"before":"1"},{"insert":{"id":8},"after":9}]"#,
                #"[{"id":1},{"id":9},{"id":8},{"id":"1"},{"id":2}]"#
            ),
            (#"[{"update":{"id":"1","v":2}}]"#, #"[{"id":1},{"id":"1","v":2},{"id":2}]"#),
            (#"[{"remove":1},{"remove":2}]"#, #"[{"id":"1"}]"#),
            (#"[{"move":2,"at":"start"}]"#, #"[{"id":2},{"id":1},{"id":"1"}]"#),
            (
                #"[{"move":1,"after":2},{"move":"1","at":"end"}]"#,
                #"[{"id":2},{"id":1},{"id":"1"}]"#
            ),
            (#"[{"remove":1},{"insert":{"id":1},"after":2}]"#, #"[{"id":"1"},{"id":2},{"id":1}]"#),
            (#"[{"move":1,"after":1},{"move":2,"before":2}]"#, #"[{"id":1},{"id":"1"},{"id":2}]"#),
            ("[]", #"[{"id":1},{"id":"1"},{"id":2}]"#),
        ])
    func applied(_ operations: String, _ list: String) {
        var patcher = Self.patcher(#"[{"id":1},{"id":"1"},{"id":2}]"#)
        let expected = Self.json(list)
        let shown = patcher.apply(
            Self.message(operations, count: expected.array?.count ?? -1))
        #expect(shown?["mode"]?.string == "replace")
        #expect(shown?["items"] == expected)
        #expect(shown?["operations"] == nil)
        #expect(patcher.items == expected.array)
        let isRequested = patcher.takeRequest()
        #expect(!isRequested)
    }

    @Test(
        "If an operation does not fit, nothing changes, and the list is requested once",
        arguments: [
            (#"[{"remove":7}]"#, 3), (#"[{"remove":3}]"#, 3), (#"[{"remove":null}]"#, 3),
            (#"[{"update":{"id":7}}]"#, 4), (#"[{"update":{"id":3}}]"#, 4),
            (#"[{"update":1}]"#, 4), (#"[{"move":1}]"#, 4),
            (#"[{"move":1,"before":7}]"#, 4), (#"[{"move":1,"after":7}]"#, 4),
            (#"[{"insert":{"id":1},"at":"start"}]"#, 5), (#"[{"insert":{},"at":"start"}]"#, 5),
            (#"[{"insert":{"id":9},"at":"middle"}]"#, 5), (#"[{"insert":{"id":9}}]"#, 5),
            (#"[{"insert":{"id":9},"at":"end","after":1}]"#, 5),
            (#"[{"insert":{"id":9},"before":3}]"#, 5), (#"[{"insert":{"id":9},"at":"end"}]"#, 4),
            (#"[{"remove":1,"update":{"id":1}}]"#, 3), ("[1]", 4), ("[{}]", 4), ("7", 4),
            (#"[{"remove":1},{"remove":1}]"#, 2), ("{}", 4), ("null", 4),
            (
                "[\(Array(repeating: #"{"move":1,"at":"end"}"#, count: 257).joined(separator: ","))]",
                4
            ),
        ])
    func misfits(_ operations: String, _ count: Int) {
        var patcher = Self.patcher(#"[{"id":1},{"id":2},{"id":3},{"id":3}]"#)
        let before = patcher.items
        #expect(patcher.apply(Self.message(operations, count: count)) == nil)
        #expect(patcher.items == before)
        let requests = [patcher.takeRequest(), patcher.takeRequest()]
        #expect(requests == [true, false])
        #expect(patcher.apply(Self.message("[]", count: 4)) == nil)
        #expect(patcher.apply(Self.json(#"{"mode":"replace","items":[{"id":5}]}"#)) != nil)
        #expect(patcher.apply(Self.message(#"[{"remove":5}]"#, count: 0)) != nil)
    }

    @Test("After random operations, the list is that of a model")
    func model() {
        for seed in UInt64(0)..<60 {
            var random = SeededGenerator(seed: seed)
            var ids = Array(0..<20)
            var versions: [Int: Int] = [:]
            var patcher = Self.patcher("[\(ids.map { Self.item($0, 0) }.joined(separator: ","))]")
            for step in 1...20 {
                let operations = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                    Self.operation(&ids, &versions, step, &random)
                }
                _ = patcher.apply(
                    Self.message("[\(operations.joined(separator: ","))]", count: ids.count))
                let expected = ids.map { Self.json(Self.item($0, versions[$0] ?? 0)) }
                #expect(patcher.items == expected, "seed \(seed), step \(step): \(operations)")
            }
        }
    }

    private static func item(_ id: Int, _ version: Int) -> String {
        #"{"id":\#(id),"version":\#(version)}"#
    }

    /// Changes the model, and returns the operation.
    private static func operation(
        _ ids: inout [Int], _ versions: inout [Int: Int], _ step: Int,
        _ random: inout SeededGenerator
    ) -> String {
        let kind = ids.count < 2 ? 0 : Int.random(in: 0..<4, using: &random)
        let position = ids.isEmpty ? 0 : Int.random(in: 0..<ids.count, using: &random)
        switch kind {
        case 0:
            let id = 1000 + versions.count + ids.count * 7919 + step
            guard !ids.contains(id) else { return #"{"move":\#(id),"after":\#(id)}"# }
            versions[id] = step
            let place = place(&ids, id, &random)
            return #"{"insert":\#(item(id, step)),\#(place)}"#
        case 1:
            versions[ids[position]] = step
            return #"{"update":\#(item(ids[position], step))}"#
        case 2: return #"{"remove":\#(ids.remove(at: position))}"#
        default:
            let id = ids.remove(at: position)
            return #"{"move":\#(id),\#(place(&ids, id, &random))}"#
        }
    }

    /// Inserts an item at a random place, and returns how the operation names the place.
    private static func place(
        _ ids: inout [Int], _ id: Int, _ random: inout SeededGenerator
    ) -> String {
        let position = Int.random(in: 0...ids.count, using: &random)
        defer { ids.insert(id, at: position) }
        if position == 0, ids.isEmpty || Bool.random(using: &random) { return #""at":"start""# }
        if position == ids.count, Bool.random(using: &random) { return #""at":"end""# }
        return position < ids.count
            ? #""before":\#(ids[position])"# : #""after":\#(ids[position - 1])"#
    }

    @Test("Operations end no load and answer no request, and their message counts as received")
    func noRequest() {
        var machine = ClientMachine(
            ClientConfiguration(
                client: "test", views: [ClientMachineTests.list], features: ["patch", "live"]))
        _ = machine.connect()
        _ = machine.opened(at: 0)
        _ = machine.received(
            #"{"type":"welcome","protocol":1,"session":"a","token":"b","features":["patch","live"]}"#,
            at: 1)
        _ = machine.received(
            #"[{"type":"attached","view":"list","generation":1,"itemKey":"/id"},"#
                + #"{"type":"items","view":"list","load":"1.1","mode":"replace","count":1,"#
                + #""items":[{"id":1}]}]"#, at: 2)
        _ = machine.perform([ClientMachine.message("refresh", "list")], at: 3)
        _ = machine.received(
            Self.message(#"[{"insert":{"id":2},"at":"start"}]"#, count: 2).text, at: 4)
        #expect(machine.state.views["list"]?.items.count == 2)
        var random = SeededGenerator(seed: 1)
        _ = machine.ended(code: 1006, at: 5, random: &random)
        _ = machine.connect()
        let sent = machine.opened(at: 6).compactMap {
            if case .send(let text) = $0 { text } else { nil }
        }.joined()
        #expect(sent.contains(#""received":["1.2"]"#))
        #expect(sent.contains(#""type":"refresh""#))
    }
}
