import RefreshProtocol
import SessionBench
import Testing
import WebSocketTransport

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// The limits on the animation frames that the daemon sends by its clock, not as answers.
@Suite("Budget of animation frames")
struct PlayBudgetTests {
    private static let views = (0..<32).map { "v\($0)" }

    /// A client with these views, all of which are animated.
    private static func moving(
        _ bytesPerSecond: Int, views: [String] = views, profile: String = "iqpulltorefresh"
    ) -> SessionTester {
        var limits = SessionTester.patient
        limits.playedBytesPerSecondMax = bytesPerSecond
        let tester = SessionTester(limits: limits)
        let bodies = views.map { HostClient.view($0, feed: nil, profile: profile) }
        tester.send(
            #"{"type":"hello","protocol":1,"frames":"stream","views":[\#(bodies.joined(separator: ","))]}"#
        )
        tester.send(batch("begin", views, from: 1))
        return tester
    }

    private static func batch(_ type: String, _ views: [String], from seq: Int) -> String {
        let messages = views.enumerated().map { number, view in
            #"{"type":"\#(type)","view":"\#(view)","seq":\#(seq + number)}"#
        }
        return "[" + messages.joined(separator: ",") + "]"
    }

    /// Wakes the session at its own deadlines until `end`. Returns the bytes and messages that the
    /// session sent.
    private static func wait(
        _ tester: SessionTester, until end: Double
    ) -> (bytes: Int, messages: [JSONValue]) {
        let before = tester.channel.frames.count
        while let next = tester.session.nextDeadline, next.milliseconds <= end {
            tester.now = max(next, tester.now)
            tester.session.handle(.wake, at: tester.now)
        }
        tester.now = Instant(milliseconds: end)
        let bytes = tester.channel.frames[before...].reduce(0) { $0 + $1.utf8.count }
        return (bytes, tester.messages(from: before))
    }

    private static func frames(_ messages: [JSONValue], of view: String) -> Int {
        messages.count { $0["view"]?.string == view && $0["top"]?["frame"] != nil }
    }

    @Test(
        "playedBytesPerSecondMax: above this limit, all views get frames at the same lower rate"
    )
    func budget() {
        let tester = Self.moving(8000)
        // Because of the quiet time before, a quarter of the budget is sent at once. A round of
        // frames (one of each view) is sent completely, so the last round may exceed the budget.
        let first = Self.wait(tester, until: 1000)
        let round = tester.channel.frames.map(\.utf8.count).max() ?? 0
        #expect(first.bytes <= 8000 + 2000 + round)
        let rest = Self.wait(tester, until: 11_000)
        // The last round of frames may exceed the budget.
        #expect((72_000...88_000).contains(rest.bytes), "\(rest.bytes)")
        let counts = Self.views.map { Self.frames(rest.messages, of: $0) }
        #expect((counts.min() ?? 0) >= 5, "\(counts)")
        #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 2, "\(counts)")
        #expect(tester.metrics.snapshot.framesDeferred > 0)
        let unbounded = Self.moving(0)
        #expect(Self.wait(unbounded, until: 11_000).bytes > 10 * rest.bytes)
        #expect(unbounded.metrics.snapshot.framesDeferred == 0)
    }

    @Test("Above the limit, every state is sent as early as without the limit, with its frame")
    func states() {
        /// Returns the received states with their times.
        func receivedStates(_ bytesPerSecond: Int) -> [String] {
            let tester = Self.moving(bytesPerSecond)
            var received: [String] = []
            func record(_ messages: [JSONValue]) {
                for message in messages {
                    guard let state = message["top"]?["state"]?.string else { continue }
                    received.append("\(tester.now) \(message["view"]?.string ?? "") \(state)")
                }
            }
            record(Self.wait(tester, until: 3000).messages)
            let ended = tester.send(Self.batch("end", Self.views, from: 100))
            record(ended)
            #expect(ended.contains { $0["top"]?["frame"] != nil })
            for end in stride(from: 3100.0, through: 6000, by: 100) {
                record(Self.wait(tester, until: end).messages)
            }
            return received.sorted()
        }
        let bounded = receivedStates(1000)
        #expect(bounded == receivedStates(0))
        #expect(bounded.count >= 32)
    }

    @Test(
        "By default, one view gets all its frames, whatever its profile",
        arguments: ["iqpulltorefresh", "mrefresh", "appcoda", "jackrabbit", "default"])
    func oneView(_ profile: String) {
        func count(_ bytesPerSecond: Int) -> Int {
            let tester = Self.moving(bytesPerSecond, views: ["v0"], profile: profile)
            return Self.frames(Self.wait(tester, until: 10_000).messages, of: "v0")
        }
        #expect(count(Limits().playedBytesPerSecondMax) == count(0))
    }

    @Test(
        "playedBytesPerAddressMax: a limit for all sessions of an address, on all loops together"
    )
    func address() {
        /// Returns the bytes that each of four clients of one address receives, and those of a
        /// client of another address.
        func bytes(perAddress: Int) -> [Int] {
            var limits = SessionTester.patient
            limits.playedBytesPerSecondMax = 0
            limits.playedBytesPerAddressMax = perAddress
            let fixture = HostFixture(limits: limits)
            let clients = (0..<5).map { number in
                fixture.connect(
                    to: number % 2, from: number < 4 ? "192.0.2.1" : "192.0.2.2")
            }
            for client in clients {
                client.open(feed: nil, frames: "stream", views: Array(Self.views[0..<8]))
                client.send(Self.batch("begin", Array(Self.views[0..<8]), from: 1))
            }
            fixture.pass(milliseconds: 2000)
            for client in clients { _ = client.receive() }
            let before = clients.map(\.channel.frames.count)
            fixture.pass(milliseconds: 20_000)
            return zip(clients, before).map { client, before in
                client.channel.frames[before...].reduce(0) { $0 + $1.utf8.count }
            }
        }
        let shared = bytes(perAddress: 6000)
        let sum = shared[0..<4].reduce(0, +)
        #expect((100_000...135_000).contains(sum), "\(shared)")
        let most = shared[0..<4].max() ?? 0
        #expect((shared[0..<4].min() ?? 0) > most * 3 / 4, "\(shared)")
        #expect((100_000...135_000).contains(shared[4]), "\(shared)")
        // The limit is off by default.
        #expect(Limits().playedBytesPerAddressMax == 0)
        #expect(bytes(perAddress: 0).allSatisfy { $0 > 5 * most })
    }

    @Test(
        "After at least a quarter second of silence, a quarter of the budget may be sent at once")
    func credit() {
        var budget = PlayBudget()
        let day = Instant(milliseconds: 86_400_000)
        budget.charge(bytes: 250, perSecond: 1000, at: day)
        #expect(budget.paidUntil == day)
        budget.charge(bytes: 500, perSecond: 1000, at: day)
        #expect(budget.paidUntil == day.advanced(byMilliseconds: 500.0))
        #expect(!budget.isFull(at: day.advanced(byMilliseconds: 749.0)))
        #expect(budget.isFull(at: day.advanced(byMilliseconds: 750.0)))
        // Without a limit, no debt accumulates.
        budget.charge(bytes: 1 << 40, perSecond: 0, at: day)
        #expect(budget.paidUntil == day.advanced(byMilliseconds: 500.0))
    }

    @Test("An address owes at most five seconds of its budget, and another address owes nothing")
    func debt() throws {
        let play = NetworkPlay()
        let network = try #require(PeerNetwork("192.0.2.1"))
        let now = Instant(milliseconds: 1000)
        for _ in 0..<100 {
            let until = play.charge(bytes: 5000, to: network, perSecond: 1000, at: now)
            #expect(until <= now.advanced(byMilliseconds: 5000.0))
        }
        #expect(play.paidUntil(of: network) == now.advanced(byMilliseconds: 5000.0))
        let other = try #require(PeerNetwork("192.0.2.2"))
        #expect(play.paidUntil(of: other) < now)
    }

    @Test("A client that reconnects repeatedly receives hardly more frames than another client")
    func again() {
        func bytes(restarts: Bool) -> Int {
            var limits = SessionTester.patient
            limits.playedBytesPerSecondMax = 0
            limits.playedBytesPerAddressMax = 6000
            let fixture = HostFixture(limits: limits)
            var bytes = 0
            var client: HostClient?
            for round in 0..<100 {
                if restarts || round == 0 {
                    client?.hangUp()
                    let new = fixture.connect(from: "192.0.2.1")
                    new.open(feed: nil, frames: "stream", views: Array(Self.views[0..<8]))
                    new.send(Self.batch("begin", Array(Self.views[0..<8]), from: 1))
                    client = new
                }
                let before = client?.channel.frames.count ?? 0
                fixture.pass(milliseconds: 200)
                bytes += client?.channel.frames[before...].reduce(0) { $0 + $1.utf8.count } ?? 0
            }
            return bytes
        }
        let stays = bytes(restarts: false)
        #expect(stays > 80_000)
        #expect(bytes(restarts: true) < stays * 3 / 2)
    }

    @Test("The entries of quiet addresses are removed")
    func networks() throws {
        let play = NetworkPlay()
        for number in 0..<10_000 {
            let network = try #require(
                PeerNetwork("10.0.\(number / 256).\(number % 256)"))
            _ = play.charge(
                bytes: 10, to: network, perSecond: 1000,
                at: Instant(milliseconds: Double(number) * 10))
        }
        #expect(play.count < 2100)
    }
}
