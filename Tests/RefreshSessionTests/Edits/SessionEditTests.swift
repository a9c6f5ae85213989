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

    @Test("The edits of a view belong to one sequence, and those of another view to another one")
    func sequence() throws {
        let client = Client()
        try client.load(1...10)
        try client.edit("aaaaaaaa", Client.insert(11))
        try client.edit("bbbbbbbb", #"{"remove":4}"#)
        let sequences = client.edits.map(\.request.sequence)
        #expect(sequences[0] != nil && sequences[0] == sequences[1])
        try client.send("detach")
        client.tester.send(
            #"{"type":"attach","view":"list","seq":80,"feed":"songs","profile":"iqpulltorefresh"}"#)
        client.tester.send(
            #"{"type":"edit","view":"list","seq":81,"edit":"cccccccc","operation":{"remove":4}}"#)
        #expect(client.edits.count == 3)
        #expect(client.edits.last?.request.sequence != sequences[0])
    }

    @Test("An edit waits for an earlier one of the same item, and not for one of another item")
    func sameItem() throws {
        let client = Client()
        try client.load(1...10)
        try client.edit("aaaaaaaa", #"{"remove":3}"#, delayMs: 5000)
        try client.edit("bbbbbbbb", #"{"move":5,"after":3}"#)
        try client.edit("cccccccc", #"{"remove":5}"#, delayMs: 10)
        try client.edit("dddddddd", #"{"remove":6}"#)
        #expect(client.edits.map(\.ticket.edit) == ["dddddddd"])
        try client.advance(byMs: 4999)
        #expect(client.edits.count == 1)
        try client.advance(byMs: 1)
        #expect(
            client.edits.map(\.ticket.edit) == ["dddddddd", "aaaaaaaa", "bbbbbbbb", "cccccccc"])
    }

    @Test("When an edit is undone, the edits of the same item do not wait any more")
    func undoneItem() throws {
        let client = Client()
        try client.load(1...10)
        try client.edit("aaaaaaaa", #"{"remove":3}"#, delayMs: 5000)
        try client.edit("bbbbbbbb", #"{"move":3,"at":"end"}"#)
        try client.edit("cccccccc", #"{"move":3,"at":"start"}"#)
        try client.send("undo", #","edit":"bbbbbbbb""#)
        #expect(client.edits.isEmpty && client.codes == ["undone"])
        try client.send("undo", #","edit":"aaaaaaaa""#)
        #expect(client.edits.map(\.ticket.edit) == ["cccccccc"])
    }

    @Test("An edit that waits is rolled back if the feed does not accept it any more")
    func reloaded() throws {
        let client = Client()
        try client.load(1...10)
        try client.edit("aaaaaaaa", #"{"remove":3}"#, delayMs: 5000)
        try client.edit("bbbbbbbb", Client.insert(11), delayMs: 5000)
        let services = client.tester.services
        services.apply(
            limits: services.limits,
            feeds: [
                FeedDescription(
                    name: "songs", parameters: ["q"], style: .page, size: 10,
                    itemKey: JSONPointer("/text"), edits: [.insert, .remove])
            ], indicators: services.indicators)
        try client.advance(byMs: 5000)
        #expect(client.edits.map(\.ticket.edit) == ["aaaaaaaa"])
        #expect(client.answers.map { $0["edit"]?.string } == ["bbbbbbbb"])
        #expect(client.codes == ["editNotAccepted"])
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

    @Test("An edit waits for `delayMs`, and can be undone until then")
    func delay() throws {
        let client = Client()
        try client.load(1...10)
        try client.edit("aaaaaaaa", #"{"remove":3}"#, delayMs: 5000)
        try client.edit("bbbbbbbb", #"{"remove":4}"#, delayMs: 5000)
        try client.advance(byMs: 4999)
        try client.send("undo", #","edit":"aaaaaaaa""#)
        #expect(client.codes == ["undone"] && client.edits.isEmpty)
        try client.advance(byMs: 1)
        #expect(client.edits.map(\.ticket.edit) == ["bbbbbbbb"])
        try client.send("undo", #","edit":"bbbbbbbb""#)
        try client.end(0)
        #expect(client.results == ["rolledBack", "confirmed"])
        #expect(client.ids == [1, 2, 3] + Array(5...10))
    }

    @Test("An answer waits while a finger is down, with the operations of the edit")
    func finger() throws {
        let client = Client()
        try client.load(1...10)
        try client.edit("aaaaaaaa", Client.insert(11))
        try client.edit("bbbbbbbb", #"{"remove":4}"#)
        try client.send("scroll", #","offset":0,"phase":"began","t":0"#)
        try client.end(0)
        try client.end(1, .failed(LoadFailure(.backendFailed, "No.")))
        #expect(client.answers.isEmpty && client.frames == [["items"]])
        try client.send("scroll", #","offset":0,"phase":"ended","t":20"#)
        try client.send("scroll", #","offset":0,"phase":"idle","t":40"#)
        #expect(client.frames.last == ["items", "edited", "edited"])
        #expect(client.ids == [11] + Array(1...10))
    }

    @Test("An answer waits for a refresh, whose list can contain the item")
    func refresh() throws {
        let client = Client()
        try client.load(1...10)
        try client.edit("aaaaaaaa", Client.insert(11))
        try client.send("refresh")
        try client.end(0)
        #expect(client.answers.isEmpty)
        try client.answerLoad([11] + Array(1...9))
        #expect(client.ids == [11] + Array(1...9) && client.results == ["confirmed"])
        #expect(client.frames.last == ["items", "edited"])
    }

    @Test("A client that does not read gets the operations and the answer when it reads again")
    func slow() throws {
        let client = Client()
        try client.load(1...10)
        try client.edit("aaaaaaaa", Client.insert(11))
        client.tester.channel.isWritable = false
        try client.end(0)
        #expect(client.tester.channel.wantsWritable && client.answers.isEmpty)
        client.tester.channel.isWritable = true
        client.tester.session.handle(.writable, at: client.tester.now)
        try client.read()
        #expect(client.frames.last == ["items", "edited"])
    }

    @Test("A view without a known list gets the answer alone, and has newer data")
    func unknownList() throws {
        let client = Client()
        try client.load(1...10)
        try client.send("reset")
        try client.edit("aaaaaaaa", Client.insert(11))
        try client.end(0)
        #expect(client.frames.last == ["edited"] && client.results == ["confirmed"])
    }

    @Test("An inserted item brings the arrivals that are held back with it")
    func arrivals() throws {
        let client = Client()
        try client.load(1...10)
        client.tester.session.handle(
            .changed(
                feed: "songs", count: .unknown,
                items: [ItemChange([ListEditTests.operation(.insert, 11, .start)])]),
            at: client.tester.now)
        try client.read()
        #expect(client.ids == Array(1...10))
        try client.edit("aaaaaaaa", Client.insert(12))
        try client.end(0)
        #expect(client.ids == [12, 11] + Array(1...10))
    }

    @Test("The author sees his item although the most arrivals are held back")
    func manyArrivals() throws {
        let client = Client()
        try client.load(1...10)
        try client.report((100..<200).map { ListEditTests.operation(.insert, $0, .start) })
        try client.edit("aaaaaaaa", Client.insert(12))
        try client.end(0)
        #expect(client.ids == [12] + (100..<200).reversed() + Array(1...10))
        try client.report(0)
        #expect(client.ids.count == 111 && client.frames.last == ["items", "edited"])
    }

    @Test("The author sees his item although too many operations of others are discarded")
    func discarded() throws {
        let client = Client()
        try client.load(1...10)
        try client.edit("aaaaaaaa", Client.insert(12))
        try client.send("scroll", #","offset":0,"phase":"began","t":0"#)
        try client.end(0)
        try client.report((100..<201).map { ListEditTests.operation(.insert, $0, .start) })
        try client.send("scroll", #","offset":0,"phase":"ended","t":20"#)
        try client.send("scroll", #","offset":0,"phase":"idle","t":40"#)
        #expect(client.ids == [12] + Array(1...10) && client.frames.last == ["items", "edited"])
    }

    @Test("The author sees his edits also with `changes` `ignore`")
    func ignored() throws {
        let client = Client(top: #""changes":"ignore""#)
        try client.load(1...10)
        try client.edit("aaaaaaaa", Client.insert(11))
        try client.end(0)
        try client.report(0)
        #expect(client.ids == [11] + Array(1...10) && client.frames.last == ["items", "edited"])
        try client.report([ListEditTests.operation(.remove, 5)])
        #expect(client.ids == [11] + Array(1...10))
    }

    @Test("An item that another report has brought before the outcome is not held back")
    func reportedBefore() throws {
        let client = Client()
        try client.load(1...10)
        try client.edit("aaaaaaaa", Client.insert(11))
        try client.report(0)
        #expect(client.ids == Array(1...10))
        try client.end(0)
        #expect(client.ids == [11] + Array(1...10) && client.frames.last == ["items", "edited"])
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
