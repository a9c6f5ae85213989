import RefreshProtocol
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// What a client that asks for snapshots, or does not read, costs the daemon.
@Suite("Snapshots that are asked for")
struct AskedSnapshotTests {
    private static let ask = #"{"type":"snapshot"}"#

    private static func world() -> HostWorld {
        var limits = Limits()
        limits.framesPerSecondMax = 1_000_000
        return HostWorld(limits: limits, seal: SnapshotResumeTests.NumberingSeal())
    }

    @Test("wishes for a snapshot take one place, however long the socket is full")
    func wishesWhileTheSocketIsFull() {
        let world = Self.world()
        let client = world.connect()
        client.open()
        client.setWritable(false)
        for _ in 0..<1000 {
            client.feed(Self.ask)
            world.pass(milliseconds: 1)
        }
        #expect(
            client.session.conversation.value.outbox.messages.filter { $0.isSnapshot }.count == 1)
        #expect(
            client.session.conversation.value.outbox.messages.count == 1
                && client.session.conversation.value.outbox.queuedBytes == 0)
        client.setWritable(true)
        #expect(client.take().types == ["snapshot"])
        #expect(
            client.session.conversation.value.outbox.messages.isEmpty
                && !client.session.conversation.value.outbox.holdsSnapshot)
    }

    @Test("a session is given its way four times a second, and its last wish is answered")
    func floodOfWishes() {
        let world = Self.world()
        let client = world.connect()
        client.open()
        _ = client.take()
        for _ in 0..<1000 {
            client.feed(Self.ask)
            world.pass(milliseconds: 1)
        }
        let told = client.take()
        #expect(told.types == Array(repeating: "snapshot", count: 4 + (told.count == 5 ? 1 : 0)))
        world.pass(milliseconds: 249)
        let late = client.take().count
        #expect(told.count + late == 5)
        world.pass(milliseconds: 1000)
        #expect(client.take().isEmpty)
    }

    @Test("what is of use on one connection alone does not wait for the next one")
    func pongsOfAFrozenClient() {
        let world = Self.world()
        let client = world.connect()
        client.open()
        client.setWritable(false)
        for _ in 0..<100 { client.feed(#"{"type":"ping","t":1}"#) }
        client.feed(Self.ask)
        #expect(client.session.conversation.value.outbox.messages.count == 101)
        client.hangUp()
        #expect(client.session.conversation.value.outbox.messages.isEmpty)
        #expect(client.session.heldBytes == 6144)
    }

    @Test("a message that waits counts with what its place takes")
    func smallMessages() {
        let message = QueuedMessage.text([1, 2, 3])
        #expect(message.byteCount == QueuedMessage.ownBytes + 3)
        #expect(QueuedMessage.update(generation: 1).byteCount == 0)
    }

    @Test("where no session is kept nobody is given what comes back to one")
    func nothingIsKept() {
        var limits = Limits()
        limits.resumeWindowMs = 0
        let world = HostWorld(limits: limits, seal: SnapshotResumeTests.NumberingSeal())
        let client = world.connect()
        let welcome = client.open(extra: #","snapshots":true"#)
        #expect(welcome["type"]?.string == "welcome" && welcome["token"] == nil)
        let told = client.say(#"{"type":"refresh","view":"list","seq":2}"#)
        #expect(told.types == ["update", "loading"])
        #expect(client.say(Self.ask).first?["code"]?.string == "unknownType")
    }
}
