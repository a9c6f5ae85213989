import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// When the answer to an edit is sent, and what the list then shows. Source: docs/protocol.md,
/// "Edits".
@Suite("The list of a user who edits it")
struct EditedListTests {
    private typealias Client = EditingClient

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
}
