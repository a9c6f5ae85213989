import RefreshProtocol
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

@Suite("Memory of sessions without a connection")
struct DetachedBytesTests {
    /// The counted bytes of a session with one view and an empty queue.
    private static let one = 6144

    private static func world(_ bytesMax: Int) -> HostWorld {
        var limits = Limits()
        limits.detachedBytesMax = bytesMax
        return HostWorld(limits: limits)
    }

    @Test(
        "detachedBytesMax: above the limit, the session that has been detached longest ends",
        arguments: [(0, 3), (1, 2)])
    func bound(missing: Int, staying: Int) {
        let world = Self.world(3 * Self.one - missing)
        var welcomes: [JSONValue] = []
        for loop in [0, 1, 0] {
            let client = world.connect(to: loop)
            welcomes.append(client.open())
            client.hangUp()
            world.pass(milliseconds: 1)
        }
        #expect(world.total.detached == staying)
        #expect(world.directory.sessions.waitingBytes == staying * Self.one)
        #expect(world.total.sessionsCrowdedOut == 3 - staying)
        let reasons = welcomes.map { world.connect(to: 1).comeBack($0)[0]["reason"]?.string }
        #expect(reasons == [missing > 0 ? "unknownSession" : nil, nil, nil])
        world.settle()
        #expect(world.directory.sessions.waitingBytes == 0)
    }

    @Test("Data that arrives for a detached session counts, and can evict the oldest one")
    func growth() throws {
        let world = Self.world(2 * Self.one + 200)
        let first = world.connect(to: 0)
        let forgotten = first.open()
        first.hangUp()
        world.pass(milliseconds: 1)
        let second = world.connect(to: 1)
        let kept = second.open()
        second.say(#"{"type":"refresh","seq":2,"view":"list","cause":"code"}"#)
        second.hangUp()
        world.pass(milliseconds: 1)
        #expect(world.total.detached == 2)
        world.answerLast(100)
        #expect(world.total.detached == 1)
        #expect(world.directory.sessions.waitingBytes > Self.one + 500)
        #expect(world.connect(to: 0).comeBack(forgotten)[0]["reason"]?.string == "unknownSession")
        #expect(world.connect(to: 0).comeBack(kept)[0]["reason"] == nil)
    }
}
