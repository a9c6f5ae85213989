import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// The cost of a client that starts loads to cause snapshots.
@Suite("The rate at which a session is sealed")
struct SealBudgetTests {
    private static func world(queueBytesMax: Int = Limits().queueBytesMax) -> HostWorld {
        var limits = Limits()
        limits.framesPerSecondMax = 1_000_000
        limits.queueBytesMax = queueBytesMax
        return HostWorld(limits: limits, seal: SnapshotResumeTests.NumberingSeal())
    }

    private static func client(of world: HostWorld) -> HostClient {
        let client = world.connect()
        client.open(feed: nil, extra: #","snapshots":true"#)
        _ = client.take()
        return client
    }

    /// Begins and cancels a refresh, each in a frame of its own.
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

    @Test("32 seals are made at once, and a further one after a sixteenth of a second")
    func burst() throws {
        let world = Self.world()
        let client = Self.client(of: world)
        var seq = 2
        for turn in 1...32 {
            Self.pull(client, seq: &seq)
            #expect(client.take().all("snapshot").count == 1, "turn \(turn)")
        }
        #expect(world.total.snapshotsDelayed == 0)
        Self.pull(client, seq: &seq)
        Self.pull(client, seq: &seq)
        #expect(client.take().isEmpty)
        #expect(world.total.snapshotsDelayed == 1)
        world.pass(milliseconds: 62)
        #expect(client.take().isEmpty)
        world.pass(milliseconds: 1)
        // The frame reports both loads and ends with one snapshot.
        let told = client.take()
        #expect(told.all("load").count == 2)
        #expect(told.all("snapshot").count == 1)
        #expect(told.last?["ack"]?.number == Double(seq - 1))
        #expect(client.channel.closed == nil)
    }

    @Test("A drain does not wait for a session whose seal is delayed")
    func draining() {
        let world = Self.world()
        let client = Self.client(of: world)
        var seq = 2
        for _ in 1...32 { Self.pull(client, seq: &seq) }
        _ = client.take()
        world.hosts[0].drain(spreadMs: 0, loadsMs: 600_000, at: world.now)
        world.pass(milliseconds: 63)
        #expect(client.take().types.contains("draining"))
        #expect(client.channel.closed == .draining)
    }

    @Test("A flood of loads is reported completely, with sixteen seals a second")
    func flood() {
        let world = Self.world()
        let client = Self.client(of: world)
        let before = client.channel.frames.count
        var seq = 2
        for _ in 0..<5000 {
            Self.pull(client, seq: &seq)
            world.pass(milliseconds: 1)
        }
        world.pass(milliseconds: 100)
        let told = client.take()
        #expect(told.all("load").count == 5000)
        #expect((32 + 79...32 + 82).contains(told.all("snapshot").count))
        #expect(Self.areCovered(client.channel.frames[before...]))
        #expect(client.session.conversation.value.outbox.messages.isEmpty)
    }

    @Test("A finger that pulls eight times a second is never delayed")
    func finger() {
        let world = Self.world()
        let client = Self.client(of: world)
        var seq = 2
        for _ in 0..<200 {
            Self.pull(client, seq: &seq)
            #expect(client.take().all("snapshot").count == 1)
            world.pass(milliseconds: 125)
        }
        #expect(world.total.snapshotsDelayed == 0)
    }

    @Test("When the connection ends, messages that wait for a snapshot are sent at once")
    func last() {
        let world = Self.world(queueBytesMax: 65_536)
        let client = Self.client(of: world)
        var seq = 2
        for _ in 1...32 { Self.pull(client, seq: &seq) }
        _ = client.take()
        Self.pull(client, seq: &seq)
        #expect(client.take().isEmpty)
        while client.take().isEmpty, seq < 2000 { Self.pull(client, seq: &seq) }
        #expect(seq > 100 && seq < 2000)
        #expect(Self.areCovered(client.channel.frames.suffix(1)))
        Self.pull(client, seq: &seq)
        #expect(client.take().isEmpty)
        client.feed(#"{"type":"bye"}"#)
        let told = client.take()
        #expect(told.types.contains("load") && told.types.contains("bye"))
        #expect(told.last?["type"]?.string == "snapshot")
    }

    @Test(
        "Messages of a disconnected session that wait for a snapshot are sent after the resume")
    func lost() {
        let world = Self.world()
        let client = world.connect()
        let welcome = client.open(feed: nil, extra: #","snapshots":true"#)
        _ = client.take()
        var seq = 2
        for _ in 1...32 { Self.pull(client, seq: &seq) }
        client.feed(#"{"type":"refresh","view":"list","seq":\#(seq)}"#)
        _ = client.take()
        client.hangUp()
        let other = world.connect(to: 1)
        other.feed(
            #"{"type":"hello","protocol":1,"frames":"plain","snapshots":true,\#(HostClient.resume(welcome))}"#
        )
        world.settle()
        world.pass(milliseconds: 63)
        let told = other.take()
        #expect(told.first?["resumed"]?.bool == true)
        #expect(told.all("load").count == 1)
        #expect(told.last?["type"]?.string == "snapshot")
    }
}
