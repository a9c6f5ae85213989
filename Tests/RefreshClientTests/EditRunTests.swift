import BrokerBench
import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshClient

/// Edits of a client with the daemon's sessions. Source: docs/protocol.md, "Edits".
struct EditRunTests {
    /// A backend that performs each edit once, by its idempotency key.
    private final class Backend {
        private(set) var list: RankedList
        /// By idempotency key, what has become of the edit.
        private(set) var outcomes: [String: Bool] = [:]
        /// Of each edit that has arrived, whether it may have been performed before.
        private(set) var repeated: [Bool] = []

        init(_ ids: some Sequence<Int>) { list = RankedList(ids) }

        var ids: [Int] { list.items.map(\.id) }
        var page: [String] { list.items.map { EditTests.item($0.id, $0.version).text } }

        /// Performs an edit. Returns false if it does not fit.
        func perform(_ request: EditRequest) -> Bool {
            repeated.append(request.isRepeated)
            if let outcome = outcomes[request.idempotencyKey] { return outcome }
            let isDone = apply(request.operation)
            outcomes[request.idempotencyKey] = isDone
            return isDone
        }

        func apply(_ operation: ItemOperation) -> Bool { list.perform(operation) }
    }

    private static let configuration = configuration()

    private static func configuration(isReversed: Bool = false) -> ClientConfiguration {
        var body = ClientMachineTests.list.body
        body["reversed"] = .bool(isReversed)
        return ClientConfiguration(
            client: "test", views: [ViewDescription(body: body)], features: EditTests.features,
            refreshedViews: ["list"])
    }

    private static func makeRun(
        _ backend: Backend, seed: UInt64 = 1, isReversed: Bool = false
    ) -> ClientRun {
        var run = ClientRun(
            configuration(isReversed: isReversed), daemon: TestDaemon(itemKey: "/id"),
            random: SeededGenerator(seed: seed))
        run.connect()
        run.answerLoad(backend.page)
        run.advance(to: run.now + 3000)
        return run
    }

    private static func ids(_ run: ClientRun) -> [Int] { ids(run.view.items) }

    private static func ids(_ items: [JSONValue]) -> [Int] {
        items.compactMap { $0["id"]?.number.map { Int($0) } }
    }

    private static func answers(_ run: ClientRun) -> [EditAnswer] {
        run.events.compactMap { if case .edited(let answer, _) = $0 { answer } else { nil } }
    }

    private static let failure = EditOutcome.failed(LoadFailure(.backendFailed, "No."))

    /// Lets the backend answer all edits.
    private static func answerAll(_ run: inout ClientRun, _ backend: Backend) {
        while let edit = run.daemon.edits.first {
            run.answerEdit(backend.perform(edit.request) ? .confirmed : failure)
        }
    }

    @Test("An insert without a connection is performed once when the client is back")
    func offline() throws {
        let backend = Backend(1...3)
        var run = Self.makeRun(backend)
        run.cut()
        let id = try run.edit(.insert(EditTests.item(9), .start))
        #expect(Self.ids(run) == [9, 1, 2, 3])
        run.reconnect()
        #expect(run.daemon.edits.map(\.request.operation.kind) == [.insert])
        // The connection is lost before the answer, and after it.
        run.cut()
        run.reconnect()
        #expect(run.daemon.edits.count == 1)
        Self.answerAll(&run, backend)
        run.cut()
        run.reconnect()
        #expect(run.daemon.edits.isEmpty && backend.outcomes.count == 1)
        #expect(backend.ids == [9, 1, 2, 3] && Self.ids(run) == [9, 1, 2, 3])
        #expect(Self.answers(run) == [EditAnswer(edit: id, result: .confirmed)])
        #expect(run.view.pendingEdits.isEmpty)
        let doubled = run.shownLists.filter { Self.ids($0).count { $0 == 9 } > 1 }
        #expect(doubled.isEmpty)
    }

    @Test("If the item and its answer are lost, the backend is asked again, with the same key")
    func lostItem() throws {
        let backend = Backend(1...3)
        var run = Self.makeRun(backend)
        try run.edit(.insert(EditTests.item(9), .start))
        run.isDeaf = true
        Self.answerAll(&run, backend)
        run.cut()
        run.isDeaf = false
        run.reconnect()
        #expect(run.daemon.edits.count == 1 && Self.ids(run) == [9, 1, 2, 3])
        Self.answerAll(&run, backend)
        #expect(Self.answers(run).map(\.result) == [.confirmed])
        #expect(backend.outcomes.count == 1 && run.view.pendingEdits.isEmpty)
        run.send(#"{"type":"refresh","view":"list"}"#)
        run.answerLoad(backend.page)
        run.advance(to: run.now + 3000)
        #expect(Self.ids(run) == [9, 1, 2, 3])
    }

    @Test("If only the answer is lost, the daemon repeats it")
    func lostAnswer() throws {
        let backend = Backend(1...3)
        var run = Self.makeRun(backend)
        let id = try run.edit(.remove(.number(2)))
        run.isDeaf = true
        run.answerEdit(Self.failure)
        run.cut()
        run.isDeaf = false
        run.reconnect()
        run.advance(to: run.now + 3000)
        #expect(Self.answers(run).map(\.edit) == [id] && run.daemon.edits.isEmpty)
        #expect(Self.answers(run).map(\.result) == [.rolledBack])
        #expect(Self.ids(run) == [1, 2, 3] && run.view.pendingEdits.isEmpty)
    }

    @Test("If the daemon crashes, the next one is asked for the same edit")
    func crash() throws {
        let backend = Backend(1...3)
        var run = Self.makeRun(backend)
        try run.edit(.insert(EditTests.item(9), .start))
        let request = try #require(run.daemon.edits.first?.request)
        #expect(backend.perform(request))
        run.restartDaemon(keepsKeys: false)
        run.reconnect()
        #expect(run.daemon.edits.map(\.request.idempotencyKey) == [request.idempotencyKey])
        run.answerLoad(backend.page)
        Self.answerAll(&run, backend)
        run.advance(to: run.now + 3000)
        #expect(Self.answers(run).map(\.result) == [.confirmed])
        #expect(Self.ids(run) == [9, 1, 2, 3] && backend.outcomes.count == 1)
        #expect(run.view.pendingEdits.isEmpty)
    }

    @Test("A removal that is undone in time is not performed, and the row is there again")
    func undo() throws {
        let backend = Backend(1...3)
        var run = Self.makeRun(backend)
        let id = try run.edit(.remove(.number(2)), delayMs: 5000)
        #expect(Self.ids(run) == [1, 3])
        run.advance(to: run.now + 4000)
        #expect(run.daemon.edits.isEmpty)
        run.undo(id)
        #expect(Self.ids(run) == [1, 2, 3] && run.daemon.edits.isEmpty)
        #expect(Self.answers(run) == [.undone(id)])
        let late = try run.edit(.remove(.number(3)), delayMs: 5000)
        run.advance(to: run.now + 6000)
        #expect(run.daemon.edits.count == 1)
        run.undo(late)
        #expect(Self.ids(run) == [1, 2])
        Self.answerAll(&run, backend)
        #expect(Self.ids(run) == [1, 2] && Self.answers(run).last?.result == .confirmed)
    }

    @Test("An edit that the backend refuses is rolled back, with the reason")
    func rolledBack() throws {
        let backend = Backend(1...3)
        var run = Self.makeRun(backend)
        let id = try run.edit(.move(.number(3), .start))
        #expect(Self.ids(run) == [3, 1, 2])
        run.answerEdit(Self.failure)
        #expect(Self.ids(run) == [1, 2, 3])
        let answer = Self.answers(run).first
        #expect(answer?.edit == id && answer?.result == .rolledBack)
        #expect(answer?.code == "backendFailed" && answer?.message == "No.")
        #expect(run.view.pendingEdits.isEmpty)
    }

    @Test("The confirmation of an edit changes nothing that is shown", arguments: [false, true])
    func confirmation(isReversed: Bool) throws {
        for seed in UInt64(0)..<12 {
            var random = SeededGenerator(seed: seed)
            var run = Self.makeRun(Backend(1...8), seed: seed, isReversed: isReversed)
            let model = EditModel(ids: [])
            for step in 0..<20 {
                let before = run.view.items
                let operation = model.randomOperation(step, using: &random)
                // The other end of the list belongs to a page that was not loaded.
                if operation.json["at"]?.string == "end" { continue }
                try run.edit(operation)
                let shown = run.view.items
                run.answerEdit(shown == before ? Self.failure : .confirmed)
                #expect(
                    run.view.items == shown, "seed \(seed), step \(step): \(operation.json.text)")
                #expect(run.view.pendingEdits.isEmpty && run.daemon.edits.isEmpty)
            }
        }
    }

    @Test("A replaced item has the key of the backend, and is shown once")
    func replaced() throws {
        let backend = Backend(1...3)
        var run = Self.makeRun(backend)
        let id = try run.edit(.insert(EditTests.item(9), .start))
        let item = EditedItem(
            ItemOperation.Key(Array("77".utf8), hashedBy: TestDaemon.itemHash),
            Array(EditTests.item(77).text.utf8), hashedBy: TestDaemon.itemHash)
        run.answerEdit(.replaced(item))
        #expect(Self.ids(run) == [77, 1, 2, 3])
        #expect(
            Self.answers(run) == [EditAnswer(edit: id, result: .replaced, key: .number(77))])
        #expect(run.shownLists.suffix(1).map { Self.ids($0) } == [[77, 1, 2, 3]])
    }

    @Test("The edits outlive the process of the app")
    func savedState() throws {
        let backend = Backend(1...3)
        var run = Self.makeRun(backend)
        run.cut()
        let one = try run.edit(.insert(EditTests.item(9), .start))
        let two = try run.edit(.remove(.number(2)), delayMs: 5000)
        let undone = try run.edit(.remove(.number(1)), delayMs: 5000)
        run.restartApp(Self.configuration)
        #expect(Self.ids(run) == [9, 3])
        #expect(run.view.pendingEdits.map(\.id) == [one, two, undone])
        run.undo(undone)
        #expect(Self.ids(run) == [9, 1, 3])
        run.mend()
        run.connect()
        run.advance(to: run.now + 6000)
        Self.answerAll(&run, backend)
        #expect(backend.ids == [9, 1, 3] && Self.ids(run) == [9, 1, 3])
        #expect(run.view.pendingEdits.isEmpty)
        #expect(backend.repeated == [true, true], "the earlier process may have sent them")
    }

    @Test("After random edits, live items, losses and crashes, each edit was performed once")
    func random() throws {
        for seed in UInt64(0)..<16 {
            var random = SeededGenerator(seed: seed)
            let backend = Backend(1...10)
            var run = Self.makeRun(backend, seed: seed)
            let model = EditModel(ids: [])
            var made: [String] = []
            for step in 0..<40 {
                switch Int.random(in: 0..<12, using: &random) {
                case 0...4:
                    made.append(
                        try run.edit(
                            model.randomOperation(step, using: &random),
                            delayMs: Bool.random(using: &random) ? 0 : 300))
                case 5, 6: Self.answerAll(&run, backend)
                case 7: report(&run, backend, step, &random)
                case 8:
                    run.cut()
                    if Bool.random(using: &random) { run.reconnect() }
                case 9:
                    if Bool.random(using: &random) {
                        // The backend performs an edit whose answer is lost.
                        if let edit = run.daemon.edits.first { _ = backend.perform(edit.request) }
                    }
                    run.restartDaemon(keepsKeys: Bool.random(using: &random))
                    run.reconnect()
                case 10: if let id = made.randomElement(using: &random) { run.undo(id) }
                default: run.answerLoad(backend.page)
                }
                run.advance(to: run.now + Double.random(in: 0...400, using: &random))
                for list in run.shownLists + [run.view.items] {
                    #expect(
                        Set(Self.ids(list)).count == list.count, "seed \(seed), step \(step)")
                }
            }
            if run.status != .open { run.reconnect() }
            for _ in 0..<4 {
                run.advance(to: run.now + 1000)
                Self.answerAll(&run, backend)
                while !run.daemon.loads.isEmpty { run.answerLoad(backend.page) }
            }
            run.send(#"{"type":"refresh","view":"list"}"#)
            run.answerLoad(backend.page)
            run.advance(to: run.now + 3000)
            let answers = Self.answers(run).map(\.edit)
            #expect(answers.sorted() == made.sorted(), "seed \(seed)")
            #expect(run.view.pendingEdits.isEmpty, "seed \(seed)")
            #expect(Self.ids(run) == backend.ids, "seed \(seed)")
        }
    }

    /// Another client has changed an item of the feed.
    private func report(
        _ run: inout ClientRun, _ backend: Backend, _ step: Int, _ random: inout SeededGenerator
    ) {
        let id = Int.random(in: 1...14, using: &random)
        let key = ItemOperation.Key(Array("\(id)".utf8), hashedBy: TestDaemon.itemHash)
        let kinds: [ItemOperation.Kind] = [.insert, .update, .remove]
        let kind = kinds[Int.random(in: 0..<3, using: &random)]
        let operation = ItemOperation(
            kind, key, at: kind == .insert ? .start : nil,
            item: kind == .remove ? [] : Array(EditTests.item(id, 100 + step).text.utf8),
            hashedBy: TestDaemon.itemHash)
        if backend.apply(operation) { run.report([operation]) }
    }
}
