import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshSession
@testable import ScenarioKit

@Suite("Savings by the control law", .ownThread)
struct LawCountTests {
    /// A list of 4,000 points at its start, on simulated time.
    private static func open(_ frames: String, _ profile: String = "default") -> LawPeer {
        var random = SeededRandom(seed: 1)
        var attach = RandomAttach(&random, pans: false)
        attach.isMirrored = false
        attach.isRightToLeft = false
        attach.start = 0
        attach.viewport = 800
        attach.content = 4000
        attach.isHorizontal = false
        attach.end = 0
        attach.members = [
            .init("view", .string("list")), .init("profile", .string(profile)),
            .init("feed", .string("songs")), .init("geometry", attach.geometry),
        ]
        return LawPeer(attach, frames: frames)
    }

    private static func scroll(
        _ peer: LawPeer, _ offset: Double, _ phase: ScrollPhase, after ms: Double = 16
    ) {
        peer.advance(to: peer.now + ms)
        peer.tick()
        peer.move(HandSample(t: peer.now, .offset(offset), phase: phase))
    }

    /// Pulls from rest to 150 points beyond the start in forty frames, releases the list, and lets
    /// it return.
    private static func pullAndRelease(_ peer: LawPeer) {
        scroll(peer, 0, .began)
        for step in 1...40 { scroll(peer, -Double(step) * 3.75, .dragging) }
        scroll(peer, -150, .ended)
        let restOffset = peer.picture.insets["top"].map { _ in -64.0 } ?? 0
        for step in 1...20 {
            scroll(peer, -150 + (150 + restOffset) * Double(step) / 20, .decelerating)
        }
        scroll(peer, restOffset, .idle)
    }

    @Test(
        "A client sends at most four messages for a pull, its release and its refresh",
        arguments: RandomAttach.profiles)
    func pull(profile: String) throws {
        let peer = Self.open("local", profile)
        for time in 1...3 {
            let before = peer.messagesSent
            Self.pullAndRelease(peer)
            #expect(peer.messagesSent - before <= 4, "time \(time)")
            peer.advance(to: peer.now + 500)
            let load = try #require(peer.loads.last)
            peer.answer(load.name, "success")
            peer.advance(to: peer.now + 4000)
            #expect(peer.picture.edges["top"]?.state == .idle)
        }
        #expect(peer.metrics.snapshot.mispredictions == 0)
    }

    @Test("A resting finger sends a sample every two seconds, and its gesture is not ended")
    func rest() {
        let peer = Self.open("local")
        Self.scroll(peer, 0, .began)
        Self.scroll(peer, -30, .dragging)
        let before = peer.messagesSent
        for _ in 0..<120 {
            peer.advance(to: peer.now + 100)
            peer.tick()
        }
        #expect(peer.messagesSent - before == 6)
        #expect(peer.picture.edges["top"]?.state == .pulling)
        Self.scroll(peer, -70, .dragging)
        Self.scroll(peer, -70, .ended)
        #expect(peer.picture.edges["top"]?.state == .refreshing)
    }

    @Test(
        "In the middle of a list, neither a stream client nor a local client sends messages",
        arguments: ["stream", "local"])
    func middle(frames: String) {
        let peer = Self.open(frames)
        Self.scroll(peer, 1000, .idle)
        let before = peer.messagesSent
        Self.scroll(peer, 1000, .began)
        for step in 1...30 { Self.scroll(peer, 1000 + Double(step) * 8, .dragging) }
        Self.scroll(peer, 1240, .ended)
        for step in 1...30 { Self.scroll(peer, 1240 + Double(step) * 4, .decelerating) }
        Self.scroll(peer, 1360, .idle)
        #expect(peer.messagesSent == before)
        #expect(peer.bytesReceived > 0)
    }

    @Test("A local client transfers less than a fifth of the bytes of a stream client")
    func share() {
        let (local, stream) = (Self.open("local"), Self.open("stream"))
        let before = (
            local.bytesSent + local.bytesReceived, stream.bytesSent + stream.bytesReceived
        )
        Self.pullAndRelease(local)
        Self.pullAndRelease(stream)
        let bytes = (
            local.bytesSent + local.bytesReceived - before.0,
            stream.bytesSent + stream.bytesReceived - before.1
        )
        print("law: a pull takes \(bytes.0) bytes of a local client, \(bytes.1) of a stream client")
        #expect(bytes.0 * 5 < bytes.1)
        #expect(local.messagesSent * 10 < stream.messagesSent)
    }
}
