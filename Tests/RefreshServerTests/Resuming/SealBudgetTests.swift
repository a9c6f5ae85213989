import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Tests the cost of a client that starts loads to cause snapshots.
@Suite("The rate at which a session is sealed")
struct SealBudgetTests {
    private static func fixture(queueBytesMax: Int = Limits().queueBytesMax) -> HostFixture {
        var limits = Limits()
        limits.framesPerSecondMax = 1_000_000
        limits.queueBytesMax = queueBytesMax
        return HostFixture(limits: limits, seal: SnapshotResumeTests.NumberingSeal())
    }

    private static func client(of fixture: HostFixture) -> HostClient {
        let client = fixture.connect()
        client.open(feed: nil, extra: #","snapshots":true"#)
        _ = client.receive()
        return client
    }

    /// Begins and cancels a refresh, each in its own frame.
    private static func pull(_ client: HostClient, seq: inout Int) {
        client.feed(#"{"type":"refresh","view":"list","seq":\#(seq)}"#)
        client.feed(#"{"type":"cancel","view":"list","seq":\#(seq + 1)}"#)
        seq += 2
    }

    /// Whether each frame that reports the beginning of a load ends with a snapshot.
    private static func areCovered(_ frames: ArraySlice<String>) -> Bool {
        frames.allSatisfy { frame in
            let messages = (try? JSONValue(parsing: frame))?.array ?? []
            let begins = frame.contains(#""type":"load","#)
            return !begins || messages.last?["type"]?.string == "snapshot"
        }
    }

    @Test("32 snapshots are sealed without delay, and a further one after a sixteenth of a second")
    func burst() throws {
        let fixture = Self.fixture()
        let client = Self.client(of: fixture)
        var seq = 2
        for turn in 1...32 {
            Self.pull(client, seq: &seq)
            #expect(client.receive().all("snapshot").count == 1, "turn \(turn)")
        }
        #expect(fixture.total.snapshotsDelayed == 0)
        Self.pull(client, seq: &seq)
        Self.pull(client, seq: &seq)
        #expect(client.receive().isEmpty)
        #expect(fixture.total.snapshotsDelayed == 1)
        fixture.pass(milliseconds: 62)
        #expect(client.receive().isEmpty)
        fixture.pass(milliseconds: 1)
        // The frame reports both loads and ends with one snapshot.
        let received = client.receive()
        #expect(received.all("load").count == 2)
        #expect(received.all("snapshot").count == 1)
        #expect(received.last?["ack"]?.number == Double(seq - 1))
        #expect(client.channel.closed == nil)
    }

    @Test("A drain does not wait for a session whose seal is delayed")
    func draining() {
        let fixture = Self.fixture()
        let client = Self.client(of: fixture)
        var seq = 2
        for _ in 1...32 { Self.pull(client, seq: &seq) }
        _ = client.receive()
        fixture.hosts[0].drain(spreadMs: 0, loadsMs: 600_000, at: fixture.now)
        fixture.pass(milliseconds: 63)
        #expect(client.receive().types.contains("draining"))
        #expect(client.channel.closed == .draining)
    }

    @Test("A flood of loads is reported completely, with sixteen seals a second")
    func flood() {
        let fixture = Self.fixture()
        let client = Self.client(of: fixture)
        let before = client.channel.frames.count
        var seq = 2
        for _ in 0..<5000 {
            Self.pull(client, seq: &seq)
            fixture.pass(milliseconds: 1)
        }
        fixture.pass(milliseconds: 100)
        let received = client.receive()
        #expect(received.all("load").count == 5000)
        #expect((32 + 79...32 + 82).contains(received.all("snapshot").count))
        #expect(Self.areCovered(client.channel.frames[before...]))
        #expect(client.session.conversation.value.outbox.messages.isEmpty)
    }

    @Test("The snapshots of a user who pulls eight times a second are never delayed")
    func finger() {
        let fixture = Self.fixture()
        let client = Self.client(of: fixture)
        var seq = 2
        for _ in 0..<200 {
            Self.pull(client, seq: &seq)
            #expect(client.receive().all("snapshot").count == 1)
            fixture.pass(milliseconds: 125)
        }
        #expect(fixture.total.snapshotsDelayed == 0)
    }

    @Test("When the connection ends, messages that wait for a snapshot are sent without delay")
    func last() {
        let fixture = Self.fixture(queueBytesMax: 65_536)
        let client = Self.client(of: fixture)
        var seq = 2
        for _ in 1...32 { Self.pull(client, seq: &seq) }
        _ = client.receive()
        Self.pull(client, seq: &seq)
        #expect(client.receive().isEmpty)
        while client.receive().isEmpty, seq < 2000 { Self.pull(client, seq: &seq) }
        #expect(seq > 100 && seq < 2000)
        #expect(Self.areCovered(client.channel.frames.suffix(1)))
        Self.pull(client, seq: &seq)
        #expect(client.receive().isEmpty)
        client.feed(#"{"type":"bye"}"#)
        let received = client.receive()
        #expect(received.types.contains("load") && received.types.contains("bye"))
        #expect(received.last?["type"]?.string == "snapshot")
    }

    @Test(
        "Messages of a disconnected session that wait for a snapshot are sent after the resume")
    func lost() {
        let fixture = Self.fixture()
        let client = fixture.connect()
        let welcome = client.open(feed: nil, extra: #","snapshots":true"#)
        _ = client.receive()
        var seq = 2
        for _ in 1...32 { Self.pull(client, seq: &seq) }
        client.feed(#"{"type":"refresh","view":"list","seq":\#(seq)}"#)
        _ = client.receive()
        client.hangUp()
        let other = fixture.connect(to: 1)
        other.feed(
            #"{"type":"hello","protocol":1,"frames":"plain","snapshots":true,\#(HostClient.resumeMember(welcome))}"#
        )
        fixture.settle()
        fixture.pass(milliseconds: 63)
        let received = other.receive()
        #expect(received.first?["resumed"]?.bool == true)
        #expect(received.all("load").count == 1)
        #expect(received.last?["type"]?.string == "snapshot")
    }
}
