import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// When the broker gets an edit. Source: docs/protocol.md, "Edits" and "Undo".
@Suite("When edits are performed")
struct EditOrderTests {
    private typealias Client = EditingClient

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
}
