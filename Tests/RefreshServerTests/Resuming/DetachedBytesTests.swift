import RefreshProtocol
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

@Suite("Memory of sessions without a connection")
struct DetachedBytesTests {
    /// The counted bytes of a session with one view and an empty queue.
    private static let one = 6144

    private static func fixture(_ bytesMax: Int) -> HostFixture {
        var limits = Limits()
        limits.detachedBytesMax = bytesMax
        return HostFixture(limits: limits)
    }

    @Test(
        "detachedBytesMax: above the limit, the session that has been detached longest ends",
        arguments: [(0, 3), (1, 2)])
    func bound(missing: Int, staying: Int) {
        let fixture = Self.fixture(3 * Self.one - missing)
        var welcomes: [JSONValue] = []
        for loop in [0, 1, 0] {
            let client = fixture.connect(to: loop)
            welcomes.append(client.open())
            client.hangUp()
            fixture.pass(milliseconds: 1)
        }
        #expect(fixture.total.detached == staying)
        #expect(fixture.directory.sessions.waitingBytes == staying * Self.one)
        #expect(fixture.total.detachedSessionsEvicted == 3 - staying)
        let reasons = welcomes.map { fixture.connect(to: 1).resume($0)[0]["reason"]?.string }
        #expect(reasons == [missing > 0 ? "unknownSession" : nil, nil, nil])
        fixture.settle()
        #expect(fixture.directory.sessions.waitingBytes == 0)
    }

    @Test("Data that arrives for a detached session counts, and can evict the oldest session")
    func growth() throws {
        let fixture = Self.fixture(2 * Self.one + 200)
        let first = fixture.connect(to: 0)
        let forgotten = first.open()
        first.hangUp()
        fixture.pass(milliseconds: 1)
        let second = fixture.connect(to: 1)
        let kept = second.open()
        second.send(#"{"type":"refresh","seq":2,"view":"list","cause":"code"}"#)
        second.hangUp()
        fixture.pass(milliseconds: 1)
        #expect(fixture.total.detached == 2)
        fixture.answerLast(100)
        #expect(fixture.total.detached == 1)
        #expect(fixture.directory.sessions.waitingBytes > Self.one + 500)
        #expect(fixture.connect(to: 0).resume(forgotten)[0]["reason"]?.string == "unknownSession")
        #expect(fixture.connect(to: 0).resume(kept)[0]["reason"] == nil)
    }
}
