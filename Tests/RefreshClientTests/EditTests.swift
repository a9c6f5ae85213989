import RefreshProtocol
import Testing
import Workbench

@testable import RefreshClient

/// Edits of the user, and the list that shows them. Source: docs/protocol.md, "Edits".
struct EditTests {
    static let features = ["patch", "live", "edits"]
    private static let attached =
        #"{"type":"attached","view":"list","generation":1,"itemKey":"/id","#
        + #""edits":["insert","update","remove","move"]}"#

    private static func json(_ text: String) -> JSONValue {
        (try? JSONValue(parsing: text)) ?? .null
    }

    static func item(_ id: Int, _ version: Int = 0) -> JSONValue {
        json(#"{"id":\#(id),"v":\#(version)}"#)
    }

    private static func key(_ id: Int) -> JSONValue { .number(Double(id)) }

    /// A client whose view has this list, and the messages that it sends.
    struct Client {
        var machine: ClientMachine
        var random = SeededGenerator(seed: 1)
        var now = 1.0
        var events: [ClientEvent] = []
        /// The messages of the client, in their order.
        var sent: [JSONValue] = []

        init(
            _ ids: [Int] = [1, 2, 3], isReversed: Bool = false,
            attached: String = EditTests.attached,
            limits: String = "{}"
        ) {
            let view = ViewDescription(
                name: "list", feed: "packages", isReversed: isReversed,
                geometry: GeometryUpdate(viewport: .init(width: 390, height: 720)))
            machine = ClientMachine(
                ClientConfiguration(client: "test", views: [view], features: EditTests.features))
            begin(ids, attached: attached, limits: limits)
        }

        /// Opens a connection with a fresh session.
        mutating func begin(
            _ ids: [Int], attached: String = EditTests.attached, limits: String = "{}"
        ) {
            perform(machine.connect())
            perform(machine.opened(at: now))
            receive(
                #"[{"type":"welcome","protocol":1,"session":"a","token":"b","resumed":false,"#
                    + #""limits":\#(limits),"features":["patch","live","edits"]},\#(attached)]"#)
            let items = JSONValue.array(ids.map { EditTests.item($0) }).text
            receive(
                #"{"type":"items","view":"list","load":"1.1","mode":"replace","#
                    + #""count":\#(ids.count),"items":\#(items)}"#)
        }

        /// Loses the connection, and resumes.
        mutating func resume() {
            lose()
            perform(machine.connect())
            perform(machine.opened(at: now))
            receive(
                #"[{"type":"welcome","protocol":1,"session":"a","token":"b","resumed":true,"#
                    + #""features":["patch","live","edits"]},\#(EditTests.attached)]"#)
        }

        mutating func lose() { perform(machine.ended(code: 1006, at: now, random: &random)) }

        mutating func receive(_ frame: String) {
            now += 1
            perform(machine.received(frame, at: now))
        }

        mutating func answer(_ edit: String, _ result: String = "confirmed", before: String = "") {
            receive(
                "[\(before)"
                    + #"{"type":"edited","view":"list","edit":"\#(edit)","result":"\#(result)"}]"#)
        }

        @discardableResult
        mutating func edit(
            _ operation: EditOperation, delayMs: Int = 0, id: String? = nil
        ) throws -> String {
            let (id, effects) = try machine.edit(
                "list", operation, delayMs: delayMs, id: id, at: now, random: &random)
            perform(effects)
            return id
        }

        mutating func undo(_ id: String) { perform(machine.undo("list", id, at: now)) }

        private mutating func perform(_ effects: [ClientMachine.Effect]) {
            for effect in effects {
                switch effect {
                case .send(let text):
                    let frame = EditTests.json(text)
                    sent += frame.array ?? [frame]
                case .emit(let event): events.append(event)
                case .dial, .cut, .close: break
                }
            }
        }

        var view: ViewState { machine.state.views["list"] ?? ViewState() }
        var items: [JSONValue] { view.items }
        var ids: [Int] { items.compactMap { $0["id"]?.number.map { Int($0) } } }
        var answers: [EditAnswer] {
            events.compactMap { if case .edited(let answer, _) = $0 { answer } else { nil } }
        }

        /// The names in the messages of this type, in their order.
        func names(_ type: String) -> [String] {
            sent.filter { $0["type"]?.string == type }.compactMap { $0["edit"]?.string }
        }
    }

    // MARK: The list

    /// Operations, whether the view is reversed, and the keys of the shown list.
    private static let shownEdits: [(EditOperation, Bool, [Int])] = [
        (.insert(item(9), .start), false, [9, 1, 2, 3]),
        (.insert(item(9), .end), false, [1, 2, 3, 9]),
        (.insert(item(9), .start), true, [1, 2, 3, 9]),
        (.insert(item(9), .end), true, [9, 1, 2, 3]),
        (.insert(item(9), .before(key(2))), true, [1, 9, 2, 3]),
        (.insert(item(9), .after(key(2))), false, [1, 2, 9, 3]),
        (.move(key(3), .start), false, [3, 1, 2]), (.move(key(1), .start), true, [2, 3, 1]),
        (.move(key(1), .after(key(2))), false, [2, 1, 3]),
        (.remove(key(2)), false, [1, 3]), (.update(item(2, 5)), false, [1, 2, 3]),
        (.insert(item(2, 5), .start), false, [1, 2, 3]),
        // These do not fit the list.
        (.remove(key(7)), false, [1, 2, 3]), (.update(item(7)), false, [1, 2, 3]),
        (.move(key(7), .start), false, [1, 2, 3]),
        (.insert(item(9), .after(key(7))), false, [1, 2, 3]),
    ]

    @Test("An edit is shown at once", arguments: shownEdits)
    func shown(_ operation: EditOperation, isReversed: Bool, ids: [Int]) throws {
        var client = Client(isReversed: isReversed)
        let id = try client.edit(operation)
        #expect(client.ids == ids)
        #expect(client.view.pendingEdits.map(\.id) == [id])
        #expect(client.sent.last?["operation"] == operation.json)
        #expect(client.sent.last?["edit"]?.string == id)
        #expect(client.sent.last?["delayMs"] == nil)
        client.answer(id, "rolledBack")
        #expect(client.ids == [1, 2, 3] && client.view.pendingEdits.isEmpty)
        #expect(client.answers.map(\.result) == [.rolledBack])
    }

    @Test("The refresh of one item changes nothing until its answer")
    func refreshOfOneItem() throws {
        var client = Client(attached: Self.attached.replacing("\"insert\"", with: "\"refresh\""))
        let refreshed = try client.edit(.refresh(Self.key(2)))
        #expect(client.sent.last?["operation"] == Self.json(#"{"refresh":2}"#))
        let gone = try client.edit(.refresh(Self.key(3)))
        #expect(client.items == [Self.item(1), Self.item(2), Self.item(3)])
        #expect(client.view.pendingEdits.map(\.id) == [refreshed, gone])
        let operations =
            #"{"type":"items","view":"list","load":"1.2","mode":"patch","count":"#
        client.answer(
            refreshed, "replaced",
            before: operations + #"3,"operations":[{"update":{"id":2,"v":5}}]},"#)
        #expect(client.items == [Self.item(1), Self.item(2, 5), Self.item(3)])
        client.answer(gone, before: operations + #"2,"operations":[{"remove":3}]},"#)
        #expect(client.ids == [1, 2] && client.view.pendingEdits.isEmpty)
        #expect(client.answers.map(\.result) == [.replaced, .confirmed])
    }

    @Test("An insert whose key the list has is shown as an update")
    func insertAsUpdate() throws {
        var client = Client()
        try client.edit(.insert(Self.item(2, 5), .start))
        #expect(client.items == [Self.item(1), Self.item(2, 5), Self.item(3)])
    }

    @Test("An edit that does not fit is shown when it fits")
    func fitsLater() throws {
        var client = Client()
        try client.edit(.insert(Self.item(9), .after(Self.key(7))))
        #expect(client.ids == [1, 2, 3])
        client.receive(
            #"{"type":"items","view":"list","load":"1.2","mode":"append","count":1,"#
                + #""items":[{"id":7,"v":0}]}"#)
        #expect(client.ids == [1, 2, 3, 7, 9])
    }

    @Test("With the item and its answer in one frame, the item is always shown once")
    func oneFrame() throws {
        var client = Client()
        let id = try client.edit(.insert(Self.item(9), .start))
        #expect(client.ids == [9, 1, 2, 3])
        client.answer(
            id,
            before: #"{"type":"items","view":"list","load":"1.2","mode":"patch","count":4,"#
                + #""operations":[{"insert":{"id":9,"v":0},"at":"start"}]},"#)
        #expect(client.ids == [9, 1, 2, 3])
        #expect(client.view.pendingEdits.isEmpty)
        #expect(client.answers == [EditAnswer(edit: id, result: .confirmed)])
        client.answer(id)
        #expect(client.answers.count == 1)
    }

    @Test("The answer has the new key of a replaced item, or the reason")
    func answers() throws {
        var client = Client()
        let one = try client.edit(.insert(Self.item(9), .start))
        let two = try client.edit(.remove(Self.key(1)))
        client.receive(
            #"[{"type":"edited","view":"list","edit":"\#(one)","result":"replaced","key":"x"},"#
                + #"{"type":"edited","view":"list","edit":"\#(two)","result":"rolledBack","#
                + #""code":"tooManyEdits","message":"No.","temporary":true}]"#)
        #expect(
            client.answers == [
                EditAnswer(edit: one, result: .replaced, key: .string("x")),
                EditAnswer(
                    edit: two, result: .rolledBack, code: "tooManyEdits", message: "No.",
                    isTemporary: true),
            ])
        #expect(client.ids == [1, 2, 3])
    }

    // MARK: Refusals

    /// Operations, and the errors with which the client refuses them.
    private static let refusedEdits: [(EditOperation, EditError?)] = [
        (.update(json(#"{"v":1}"#)), .missingKey),
        (.update(json(#"{"id":true}"#)), .missingKey), (.update(.number(7)), .missingKey),
        (.update(json(#"{"id":1.5}"#)), .missingKey),
        (.update(json(#"{"id":1e15}"#)), .missingKey),
        (.remove(.string("a\n")), .missingKey), (.remove(.null), .missingKey),
        (.insert(item(9), .after(.bool(true))), .missingKey),
        (.move(key(1), .before(.array([]))), .missingKey),
        (.update(json(#"{"id":1,"v":[[1,2]]}"#)), nil),
        (
            .update(json(#"{"id":1,"v":[\#(String(repeating: "1,", count: 8200))1]}"#)),
            .tooLarge
        ),
        (
            .update(json(#"{"id":1,"v":"\#(String(repeating: "x", count: 1025))"}"#)),
            .invalid(reason: "`operation.update.v` has more than 1024 bytes")
        ),
        (
            .update(.object([.init("id", .number(1)), .init("v", .number(.infinity))])),
            .invalid(reason: "`operation.update.v` is not a finite number")
        ),
    ]

    @Test(
        "The client refuses an edit that the daemon would refuse, and nothing changes",
        arguments: refusedEdits)
    func refused(_ operation: EditOperation, _ error: EditError?) throws {
        var client = Client()
        let sent = client.sent.count
        guard let error else {
            try client.edit(operation)
            return #expect(client.sent.count == sent + 1)
        }
        #expect(throws: error) { try client.edit(operation) }
        #expect(client.sent.count == sent && client.ids == [1, 2, 3])
        #expect(client.view.pendingEdits.isEmpty && !error.description.isEmpty)
    }

    @Test("Only operations that `attached` names are accepted")
    func notAccepted() throws {
        var client = Client(
            attached: #"{"type":"attached","view":"list","itemKey":"/id","edits":["remove"]}"#)
        #expect(client.view.acceptedEdits == [.remove])
        #expect(throws: EditError.notAccepted(.insert)) {
            try client.edit(.insert(Self.item(9), .start))
        }
        try client.edit(.remove(Self.key(1)))
        client = Client(attached: #"{"type":"attached","view":"list","itemKey":"/id"}"#)
        #expect(client.view.acceptedEdits.isEmpty)
        #expect(throws: EditError.notAccepted(.remove)) { try client.edit(.remove(Self.key(1))) }
    }

    @Test("Names, delays and the number of edits have bounds")
    func bounds() throws {
        var client = Client()
        for name in ["short", "with space", String(repeating: "a", count: 65), "ümlaut-name"] {
            #expect(throws: EditError.invalidName) {
                try client.edit(.remove(Self.key(1)), id: name)
            }
        }
        for delay in [-1, 60_001] {
            #expect(throws: EditError.delayOutOfRange) {
                try client.edit(.remove(Self.key(1)), delayMs: delay)
            }
        }
        try client.edit(.remove(Self.key(1)), delayMs: 60_000, id: "my-edit-1")
        #expect(client.sent.last?["delayMs"]?.number == 60_000)
        #expect(throws: EditError.nameInUse) {
            try client.edit(.remove(Self.key(1)), id: "my-edit-1")
        }
        for _ in 1..<PendingEdits.countMax { try client.edit(.update(Self.item(1))) }
        #expect(throws: EditError.tooManyEdits) { try client.edit(.update(Self.item(1))) }
        #expect(Set(client.view.pendingEdits.map(\.id)).count == PendingEdits.countMax)
    }

    @Test("A random name is a UUID")
    func names() throws {
        var client = Client()
        let id = try client.edit(.remove(Self.key(1)))
        let parts = id.split(separator: "-")
        #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
        #expect(parts[2].first == "4" && "89ab".contains(parts[3].first ?? "-"))
        #expect(id.allSatisfy { $0 == "-" || $0.isHexDigit })
        #expect(try client.edit(.remove(Self.key(1))) != id)
    }

    @Test("A fault about an edit rolls it back, unless it is temporary or the edit has not arrived")
    func fault() throws {
        var client = Client()
        let id = try client.edit(.remove(Self.key(1)))
        let seq = client.sent.last?["seq"]?.number ?? 0
        func fault(_ code: String, isTemporary: Bool) -> String {
            #"{"type":"error","code":"\#(code)","message":"No.","field":"operation","seq":\#(seq),"#
                + #""view":"list","temporary":\#(isTemporary)}"#
        }
        client.receive(fault("internalFault", isTemporary: true))
        for code in ["unknownView", "staleGeneration", "staleSequence"] {
            client.receive(fault(code, isTemporary: false))
        }
        #expect(client.answers.isEmpty && client.ids == [2, 3])
        client.receive(fault("invalidField", isTemporary: false))
        #expect(
            client.answers == [.rolledBack(id, code: "invalidField", message: "No.")])
        #expect(client.ids == [1, 2, 3])
    }

    // MARK: Connections

    @Test("Edits without an answer are sent again, in their order, when the view is attached")
    func again() throws {
        var client = Client()
        let one = try client.edit(.insert(Self.item(8), .start))
        client.lose()
        let two = try client.edit(.insert(Self.item(9), .start), delayMs: 500)
        #expect(client.ids == [9, 8, 1, 2, 3])
        #expect(client.names("edit") == [one])
        client.resume()
        #expect(client.names("edit") == [one, one, two])
        let edits = { client.sent.filter { $0["type"]?.string == "edit" } }
        #expect(edits().map { $0["repeated"]?.bool } == [nil, true, nil])
        let numbers = client.sent.compactMap { $0["seq"]?.number }
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        client.answer(one)
        client.lose()
        // The session is lost, and its list with it.
        client.begin([4])
        #expect(client.names("edit") == [one, one, two, two])
        #expect(edits().last?["repeated"]?.bool == true)
        #expect(client.ids == [9, 4])
        #expect(client.sent.last { $0["type"]?.string == "edit" }?["delayMs"]?.number == 500)
    }

    @Test("The client sends at most 32 edits that have no answer")
    func window() throws {
        var client = Client()
        let ids = try (0..<40).map { try client.edit(.update(Self.item(1, $0))) }
        #expect(client.names("edit") == Array(ids[..<32]))
        client.answer(ids[5])
        #expect(client.names("edit") == Array(ids[...32]))
        #expect(client.items.first == Self.item(1, 39))
        client.resume()
        #expect(client.names("edit").count == 33 + 32)
    }

    @Test("An edit that a later daemon would refuse is rolled back")
    func lowerLimits() throws {
        var client = Client()
        client.lose()
        let text = JSONValue.string(String(repeating: "x", count: 500))
        let id = try client.edit(
            .update(.object([.init("id", .number(1)), .init("v", text)])))
        client.begin([1], limits: #"{"stringBytesMax":100}"#)
        #expect(client.answers.map(\.edit) == [id])
        #expect(client.answers.first?.code == "stringTooLong")
        #expect(client.names("edit").isEmpty && client.items == [Self.item(1)])
    }

    @Test("Without the features, no edit is sent, and none is lost")
    func olderDaemon() throws {
        var client = Client()
        client.lose()
        let id = try client.edit(.remove(Self.key(1)))
        _ = client.machine.connect()
        _ = client.machine.opened(at: client.now)
        client.receive(
            #"[{"type":"welcome","protocol":1,"session":"c","token":"d","resumed":false,"#
                + #""features":["patch"]},{"type":"attached","view":"list","itemKey":"/id"}]"#)
        #expect(client.names("edit").isEmpty)
        client.lose()
        client.begin([1, 2])
        #expect(client.names("edit") == [id] && client.ids == [2])
    }

    // MARK: Undo

    @Test("An edit that was never sent is dropped by `undo`")
    func undoUnsent() throws {
        var client = Client()
        client.lose()
        let id = try client.edit(.remove(Self.key(1)), delayMs: 5000)
        #expect(client.ids == [2, 3])
        client.undo(id)
        #expect(client.ids == [1, 2, 3])
        #expect(client.answers == [.undone(id)])
        client.resume()
        #expect(client.names("edit").isEmpty && client.names("undo").isEmpty)
    }

    @Test("An edit that was sent is undone by the daemon, also on a later connection")
    func undoSent() throws {
        var client = Client()
        let id = try client.edit(.remove(Self.key(1)), delayMs: 5000)
        client.undo(id)
        client.undo("no-such-edit")
        #expect(client.names("undo") == [id])
        #expect(client.ids == [2, 3] && client.view.pendingEdits.map(\.isUndone) == [true])
        client.resume()
        #expect(client.names("edit") == [id, id] && client.names("undo") == [id, id])
        client.answer(id, "rolledBack")
        #expect(client.ids == [1, 2, 3])
    }
}
