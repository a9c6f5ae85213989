import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// The feature `edits` in a session. Source: docs/protocol.md, "Edits".
@Suite("A client with the feature `edits`")
struct SessionEditTests {
    private typealias Client = EditingClient

    private static func item(_ id: Int, version: Int) -> EditedItem {
        EditedItem(
            ListEditTests.key(id), Array(PatchedList.item(id, version: version, bytes: 1).utf8),
            hashedBy: SipHash(key: 1, 2))
    }

    @Test("`attached` names the operations that the feed accepts, for this feature only")
    func attached() {
        let names = Client(edits: [.remove, .insert]).attached?["edits"]?.array
        #expect(names?.compactMap(\.string) == ["insert", "remove"])
        #expect(Client(edits: []).attached?["edits"] == nil)
        let features: [String?] = [nil, "[]", #"["patch","live"]"#, #"["edits"]"#]
        for features in features {
            let client = Client(features: features)
            #expect(client.attached != nil && client.attached?["edits"] == nil)
        }
    }

    @Test(
        "Without the feature in use, `edit` and `undo` are unknown types",
        arguments: [nil, "[]", #"["edits"]"#, #"["edits","live"]"#, #"["edits","patch"]"#])
    func unknown(features: String?) throws {
        let client = Client(features: features)
        let edit = try client.edit("aaaaaaaa", Client.insert(11))
        let undo = try client.send("undo", #","edit":"aaaaaaaa""#)
        #expect((edit + undo).map { $0["code"]?.string } == ["unknownType", "unknownType"])
        #expect(client.edits.isEmpty)
    }

    @Test("An edit is sent to the broker as the client has made it")
    func request() throws {
        let client = Client()
        try client.load(1...10)
        try client.edit("aaaaaaaa", #"{"move":3,"before":1}"#)
        let edit = try #require(client.edits.first)
        #expect(edit.request.feed == "songs" && edit.ticket.edit == "aaaaaaaa")
        #expect(
            edit.request.operation
                == ListEditTests.operation(.move, 3, .before(ListEditTests.key(1))))
        #expect(
            edit.request.idempotencyKey
                == IdempotencyKey.text(edit: "aaaaaaaa", of: "songs", subject: nil))
        #expect(client.answers.isEmpty)
    }

    @Test(
        "The item is shown in the same frame before the answer, whatever `arrivals` is",
        arguments: ["pill", "insert", "stick"])
    func confirmed(arrivals: String) throws {
        let client = Client(top: #""arrivals":"\#(arrivals)""#)
        try client.load(1...10)
        let loads = client.tester.dispatcher.started.count
        try client.edit("aaaaaaaa", Client.insert(11))
        try client.end(0)
        #expect(client.ids == [11] + Array(1...10) && client.results == ["confirmed"])
        #expect(client.frames == [["items"], ["items", "edited"]])
        try client.report(0)
        #expect(client.frames.count == 2 && client.tester.dispatcher.started.count == loads)
    }

    @Test("A replaced item is shown as the backend has returned it, once")
    func replaced() throws {
        let client = Client()
        try client.load(1...10)
        try client.edit("aaaaaaaa", Client.insert(11))
        try client.edit("bbbbbbbb", #"{"update":\#(PatchedList.item(2, version: 3, bytes: 1))}"#)
        try client.end(0, .replaced(Self.item(12, version: 1)))
        try client.end(1, .replaced(Self.item(2, version: 4)))
        #expect(client.ids == [12] + Array(1...10))
        #expect(client.list[2]["version"]?.number == 4)
        #expect(client.answers.map { $0["key"]?.number } == [12, 2])
        try client.report(0, Self.item(12, version: 1))
        try client.report(1, Self.item(2, version: 4))
        #expect(client.frames.count == 3)
    }

    @Test("A refresh of one item brings it as the backend returns it, or removes it if it is gone")
    func refreshed() throws {
        let client = Client()
        try client.load(1...10)
        try client.edit("aaaaaaaa", #"{"refresh":2}"#)
        try client.edit("bbbbbbbb", #"{"refresh":3}"#)
        #expect(client.frames == [["items"]])
        try client.end(0, .replaced(Self.item(2, version: 4)))
        try client.end(1)
        #expect(client.ids == [1, 2] + Array(4...10) && client.list[1]["version"]?.number == 4)
        #expect(client.results == ["replaced", "confirmed"])
        #expect(client.frames.suffix(2) == [["items", "edited"], ["items", "edited"]])
        try client.report(0, Self.item(2, version: 4))
        try client.report(1)
        #expect(client.frames.count == 3)
    }

    @Test(
        "An edit of an item of the page that is being loaded is answered after this page",
        arguments: [false, true])
    func loading(isRead: Bool) throws {
        let client = Client()
        try client.load(1...10)
        try client.send("loadMore")
        try client.edit("aaaaaaaa", #"{"insert":\#(PatchedList.item(99, bytes: 1)),"after":15}"#)
        try client.end(0)
        #expect(client.ids == Array(1...10) && client.answers.isEmpty)
        // The backend reads the page before or after it has performed the edit.
        let after = Array(1...15) + [99] + Array(16...20)
        try client.answerLoad(isRead ? after.dropFirst(10) : Array(11...20)[...])
        #expect(client.ids == after && client.results == ["confirmed"])
    }

    @Test("A failed edit changes nothing, and its answer states the failure")
    func failed() throws {
        let client = Client()
        try client.load(1...10)
        try client.edit("aaaaaaaa", #"{"remove":3}"#)
        try client.end(0, .failed(LoadFailure(.backendTimedOut, "No answer.")))
        #expect(client.ids == Array(1...10) && client.results == ["rolledBack"])
        #expect(client.codes == ["backendTimedOut"])
        #expect(client.answers.first?["temporary"]?.bool == true)
    }

    @Test("An edit whose outcome is unknown is rolled back so, and can be sent again")
    func unknown() throws {
        let client = Client()
        try client.load(1...10)
        try client.edit("aaaaaaaa", #"{"remove":3}"#)
        try client.end(0, .unknown(LoadFailure(.backendTimedOut, "No answer.")))
        #expect(client.ids == Array(1...10) && client.results == ["rolledBack"])
        #expect(client.codes == ["backendTimedOut"])
        #expect(client.answers.first?["outcomeUnknown"]?.bool == true)
        try client.edit("aaaaaaaa", #"{"remove":3}"#)
        #expect(client.edits.count == 2)
        #expect(client.edits[0].request.idempotencyKey == client.edits[1].request.idempotencyKey)
        try client.end(1)
        #expect(client.results == ["rolledBack", "confirmed"])
        #expect(client.answers.last?["outcomeUnknown"] == nil)
    }

    @Test("An operation that the feed does not accept is rolled back, without a call")
    func notAccepted() throws {
        let client = Client(edits: [.remove])
        try client.load(1...10)
        try client.edit("aaaaaaaa", Client.insert(11))
        try client.edit("aaaaaaaa", Client.insert(11))
        #expect(client.codes == ["editNotAccepted", "editNotAccepted"] && client.edits.isEmpty)
    }

    @Test("An operation without a plain key is a fault")
    func key() throws {
        let client = Client()
        for operation in [
            #"{"insert":{"text":"x"},"at":"start"}"#, #"{"remove":"a\n"}"#, #"{"remove":1.5}"#,
        ] {
            let fault = try client.edit("aaaaaaaa", operation).first
            #expect(fault?["code"]?.string == "invalidField")
            #expect(fault?["field"]?.string == "operation")
        }
        #expect(client.edits.isEmpty && client.codes == Array(repeating: "invalidField", count: 3))
    }

    @Test(
        "An `edit` with a fault is rolled back with the code of the fault, if it has a name",
        arguments: [
            (#","edit":"aaaaaaaa","operation":{"insert":7}"#, "invalidField"),
            (#","edit":"aaaaaaaa""#, "missingField"),
            (#","edit":"aaaaaaaa","operation":{"remove":3},"delayMs":60001"#, "valueOutOfRange"),
            (#","edit":"short","operation":{"remove":3}"#, nil),
            (#","operation":{"remove":3}"#, nil),
        ])
    func faulty(members: String, code: String?) throws {
        let client = Client()
        try client.load(1...10)
        let answer = try client.send("edit", members)
        #expect(answer.first?["type"]?.string == "error")
        #expect(client.codes == (code.map { [$0] } ?? []))
        #expect(client.answers.allSatisfy { $0["temporary"]?.bool == false })
        // The name is free: the next edit with it is performed.
        try client.edit("aaaaaaaa", #"{"remove":3}"#)
        #expect(client.edits.map(\.ticket.edit) == ["aaaaaaaa"])
        // A fault of a second message does not answer the edit in progress.
        try client.send("edit", members)
        #expect(client.answers.count == (code == nil ? 0 : 1))
        try client.end(0)
        #expect(client.results.last == "confirmed" && client.ids == [1, 2] + Array(4...10))
    }

    @Test("A faulty `edit` of a view that is not attached has only the fault as its answer")
    func faultyView() throws {
        let client = Client()
        let answer = client.tester.send(
            #"{"type":"edit","view":"other","seq":90,"edit":"aaaaaaaa","operation":{}}"#)
        #expect(answer.map { $0["type"]?.string } == ["error"])
    }

    @Test("A repeated edit is performed once, and gets the same answer again")
    func repeated() throws {
        let client = Client()
        try client.load(1...10)
        try client.edit("aaaaaaaa", Client.insert(11))
        try client.edit("aaaaaaaa", Client.insert(11))
        try client.end(0)
        try client.edit("aaaaaaaa", Client.insert(11))
        #expect(client.edits.count == 1 && client.results == ["confirmed", "confirmed"])
        #expect(client.answers.first == client.answers.last)
        #expect(client.ids == [11] + Array(1...10))
    }

    @Test("The 33rd edit without an answer is rolled back at once")
    func tooMany() throws {
        let client = Client()
        for number in 10..<43 { try client.edit("aaaaaa\(number)", #"{"remove":3}"#) }
        #expect(client.edits.count == 32 && client.codes == ["tooManyEdits"])
        #expect(client.answers.first?["edit"]?.string == "aaaaaa42")
    }

    @Test(
        "When the view or the client is gone, edits that wait are performed at once",
        arguments: ["detach", "lost", "closed"])
    func gone(how: String) throws {
        let client = Client()
        try client.load(1...10)
        try client.edit("aaaaaaaa", #"{"remove":3}"#, delayMs: 60_000)
        switch how {
        case "detach": try client.send("detach")
        case "lost": client.tester.session.handle(.lost, at: client.tester.now)
        default: client.tester.session.handle(.closed, at: client.tester.now)
        }
        #expect(client.edits.map(\.ticket.edit) == ["aaaaaaaa"])
        client.tester.session.handle(
            .edited(client.edits[0].ticket, client.edits[0].request, .confirmed),
            at: client.tester.now)
        try client.read()
        #expect(client.answers.isEmpty)
    }

    @Test("A daemon that stops sends no answer, and the edit can be sent again")
    func cancelled() throws {
        let client = Client()
        try client.edit("aaaaaaaa", #"{"remove":3}"#)
        try client.end(0, .cancelled)
        #expect(client.answers.isEmpty)
        try client.edit("aaaaaaaa", #"{"remove":3}"#)
        #expect(client.edits.count == 2)
        #expect(client.edits[0].request.idempotencyKey == client.edits[1].request.idempotencyKey)
    }

    @Test("An edit of an earlier query is answered, and changes the new list only if it can")
    func otherQuery() throws {
        let client = Client()
        try client.load(1...10)
        try client.edit("aaaaaaaa", Client.insert(11))
        try client.send("configure", #","parameters":{"q":"x"}"#)
        try client.answerLoad(20...29)
        try client.end(0)
        #expect(!client.ids.contains(11) && client.results == ["confirmed"])
    }
}
