import RefreshProtocol
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Tests the cost of a client that requests snapshots or does not read.
@Suite("Snapshots on request")
struct RequestedSnapshotTests {
    private static let request = #"{"type":"snapshot"}"#

    private static func fixture() -> HostFixture {
        var limits = Limits()
        limits.framesPerSecondMax = 1_000_000
        return HostFixture(limits: limits, seal: SnapshotResumeTests.NumberingSeal())
    }

    @Test("While the socket is full, any number of snapshot requests take one place in the queue")
    func requestsWhileTheSocketIsFull() {
        let fixture = Self.fixture()
        let client = fixture.connect()
        client.open()
        client.setWritable(false)
        for _ in 0..<1000 {
            client.feed(Self.request)
            fixture.pass(milliseconds: 1)
        }
        #expect(
            client.session.conversation.value.outbox.messages.filter { $0.isSnapshot }.count == 1)
        #expect(
            client.session.conversation.value.outbox.messages.count == 1
                && client.session.conversation.value.outbox.queuedBytes == 0)
        client.setWritable(true)
        #expect(client.receive().types == ["snapshot"])
        #expect(
            client.session.conversation.value.outbox.messages.isEmpty
                && !client.session.conversation.value.outbox.holdsSnapshot)
    }

    @Test("At most four snapshots a second are sent, and the last request is answered")
    func floodOfRequests() {
        let fixture = Self.fixture()
        let client = fixture.connect()
        client.open()
        _ = client.receive()
        for _ in 0..<1000 {
            client.feed(Self.request)
            fixture.pass(milliseconds: 1)
        }
        let received = client.receive()
        #expect(
            received.types == Array(repeating: "snapshot", count: 4 + (received.count == 5 ? 1 : 0))
        )
        fixture.pass(milliseconds: 249)
        let late = client.receive().count
        #expect(received.count + late == 5)
        fixture.pass(milliseconds: 1000)
        #expect(client.receive().isEmpty)
    }

    @Test("Messages that are useful only on the current connection are not kept for the next one")
    func pongsOfAFrozenClient() {
        let fixture = Self.fixture()
        let client = fixture.connect()
        client.open()
        client.setWritable(false)
        for _ in 0..<100 { client.feed(#"{"type":"ping","t":1}"#) }
        client.feed(Self.request)
        #expect(client.session.conversation.value.outbox.messages.count == 101)
        client.hangUp()
        #expect(client.session.conversation.value.outbox.messages.isEmpty)
        #expect(client.session.heldBytes == 6144)
    }

    @Test("A queued message counts with its bytes and the overhead of its entry")
    func smallMessages() {
        let message = QueuedMessage.text([1, 2, 3])
        #expect(message.byteCount == QueuedMessage.ownBytes + 3)
        #expect(QueuedMessage.update(generation: 1).byteCount == 0)
    }

    @Test("If sessions are not kept, the client receives neither tokens nor snapshots")
    func nothingIsKept() {
        var limits = Limits()
        limits.resumeWindowMs = 0
        let fixture = HostFixture(limits: limits, seal: SnapshotResumeTests.NumberingSeal())
        let client = fixture.connect()
        let welcome = client.open(extra: #","snapshots":true"#)
        #expect(welcome["type"]?.string == "welcome" && welcome["token"] == nil)
        let received = client.send(#"{"type":"refresh","view":"list","seq":2}"#)
        #expect(received.types == ["update", "loading"])
        #expect(client.send(Self.request).first?["code"]?.string == "unknownType")
    }
}
