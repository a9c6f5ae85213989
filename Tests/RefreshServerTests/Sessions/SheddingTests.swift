import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// If the memory does not suffice for all connected sessions, the daemon closes some of them.
@Suite("Shedding of connected sessions")
struct SheddingTests {
    /// A daemon with two loops that may use 1000 pages of memory.
    private final class Daemon {
        private let kernel = FakeKernel()
        let fixture: HostFixture
        private let connectionLimiter: ConnectionLimiter?

        /// `trimmed` is the number of used memory pages after the heap was trimmed. If it is nil,
        /// trimming frees nothing.
        init(trimmed: Int? = nil) throws {
            let kernel = kernel
            try kernel.write("statm", "1 500 0\n")
            var limits = Limits()
            limits.memoryBytesMax = 1000 * FakeKernel.page
            let gauge = MemoryGauge(
                process: kernel.path("statm"), groups: [], addressSpace: nil, trim: { $0() },
                trimNow: {
                    guard let trimmed else { return }
                    try? kernel.write("statm", "1 \(trimmed) 0\n")
                })
            var made: ConnectionLimiter?
            fixture = HostFixture(
                limits: limits,
                memory: { [limits] directory in
                    made = ConnectionLimiter(
                        limits: limits, memory: gauge, now: .origin,
                        shedNewest: { directory.shedNewest(for: $0) })
                    return made
                })
            connectionLimiter = made
        }

        /// Sets the number of used memory pages, and advances to the next measurement.
        func use(_ pages: Int) throws {
            try kernel.write("statm", "1 \(pages) 0\n")
            fixture.pass(milliseconds: 250)
        }

        /// Runs the check of the memory that the daemon runs every second.
        func measure() {
            connectionLimiter?.recordSessionGrowth(by: 0, at: fixture.now)
            fixture.settle()
        }
    }

    private static func isAlive(_ client: HostClient) -> Bool {
        client.send(#"{"type":"ping","t":1}"#).types == ["pong"]
    }

    @Test("The newest connections are closed first, with 4102, until enough memory is free")
    func newestFirst() throws {
        let daemon = try Daemon()
        let clients = (0..<10).map { daemon.fixture.connect(to: $0 % 2) }
        let welcomes = clients.map { $0.open(feed: nil) }
        for client in clients { _ = client.receive() }
        try daemon.use(1010)
        daemon.measure()
        #expect(daemon.fixture.total.sessionsShed == 0)
        // One of the ten sessions uses more memory than must become free, so only one session ends.
        try daemon.use(1015)
        daemon.measure()
        let received = clients[9].receive()
        #expect(received.types == ["error"])
        #expect(received.first?["code"]?.string == "outOfMemory")
        #expect(clients[9].channel.closed == .overloaded)
        #expect(clients[0..<9].allSatisfy { $0.channel.closed == nil })
        // The end of one session does not free enough memory.
        try daemon.use(1200)
        daemon.measure()
        #expect(clients[7].channel.closed == .overloaded)
        #expect(clients[8].channel.closed == .overloaded)
        #expect(daemon.fixture.total.sessionsShed == 3)
        #expect(daemon.fixture.total.count(of: FaultCode.outOfMemory) == 3)
        try daemon.use(900)
        daemon.measure()
        #expect(clients[0..<7].allSatisfy(Self.isAlive))
        #expect(daemon.fixture.total.sessionsShed == 3)
        // The daemon does not keep these sessions for a resume, because kept sessions would use
        // memory.
        for client in clients[7...] { client.hangUp() }
        #expect(daemon.fixture.total.detached == 0)
        #expect(daemon.fixture.total.views == 7)
        let back = daemon.fixture.connect().resume(welcomes[9])
        #expect(back[0]["reason"]?.string == "unknownSession")
    }

    @Test("Free heap memory is returned to the system first, and if that suffices, no session ends")
    func trimmed() throws {
        let daemon = try Daemon(trimmed: 950)
        let client = daemon.fixture.connect()
        client.open(feed: nil)
        try daemon.use(1100)
        daemon.measure()
        #expect(daemon.fixture.total.sessionsShed == 0)
        #expect(Self.isAlive(client))
    }

    @Test("While memory is short, a `hello` is refused with 4102, and open sessions stay")
    func helloWhileShort() throws {
        let daemon = try Daemon()
        let old = daemon.fixture.connect()
        old.open(feed: nil)
        let new = daemon.fixture.connect()
        try daemon.use(1005)
        daemon.measure()
        let received = new.send(#"{"type":"hello","protocol":1}"#)
        #expect(received.first?["code"]?.string == "outOfMemory")
        #expect(new.channel.closed == .overloaded)
        #expect(Self.isAlive(old))
        #expect(daemon.fixture.total.sessionsShed == 0)
        try daemon.use(1000)
        daemon.measure()
        #expect(daemon.fixture.connect().open()["type"]?.string == "welcome")
    }

    @Test("If pages of items arrive together, memory is freed for each page before it is queued")
    func pages() throws {
        let daemon = try Daemon()
        let clients = (0..<8).map { _ in daemon.fixture.connect(to: 0) }
        for client in clients {
            client.open()
            client.send(#"{"type":"refresh","seq":1,"view":"list","cause":"code"}"#)
            _ = client.receive()
        }
        let tickets = daemon.fixture.dispatcher.started.map(\.0)
        #expect(tickets.count == 8)
        try daemon.use(1100)
        daemon.fixture.directory.deliver(.ended(.page(HostFixture.page(10_000))), to: tickets)
        daemon.fixture.settle()
        // With each page, the newest remaining session ends. By the time at which four pages have
        // been delivered, all other sessions have ended.
        #expect(daemon.fixture.total.sessionsShed >= 4)
        let given = clients.map { $0.receive().all("items").count }
        #expect(given[0] == 1)
        #expect(given[4...].allSatisfy { $0 == 0 })
        #expect(clients[4...].allSatisfy { $0.channel.closed == .overloaded })
    }

    @Test("If one loop iteration reads several messages, memory is freed after each of them")
    func oneTurn() throws {
        let daemon = try Daemon()
        let clients = (0..<8).map { _ in daemon.fixture.connect(to: 0) }
        for client in clients {
            client.open()
            _ = client.receive()
        }
        try daemon.use(1100)
        // The newest session ends although the loop runs no job after this message.
        clients[0].feed(#"{"type":"refresh","seq":1,"view":"list","cause":"code"}"#)
        #expect(clients[7].channel.closed == .overloaded)
        #expect(daemon.fixture.total.sessionsShed == 1)
        #expect(daemon.fixture.total.views == 7)
        #expect(clients[0..<7].allSatisfy { $0.channel.closed == nil })
        try daemon.use(900)
        // The first client also receives the update of its refresh.
        #expect(clients[0].send(#"{"type":"ping","t":1}"#).types.contains("pong"))
        #expect(clients[1..<7].allSatisfy(Self.isAlive))
    }

    @Test("If a session's own message needs too much memory, the session ends after the message")
    func itself() throws {
        let daemon = try Daemon()
        let client = daemon.fixture.connect()
        client.open()
        try daemon.use(1100)
        client.feed(#"{"type":"refresh","seq":1,"view":"list","cause":"code"}"#)
        #expect(client.channel.closed == .overloaded)
        #expect(daemon.fixture.total.views == 0)
        #expect(daemon.fixture.dispatcher.cancelled.count == 1)
        // No timer of the session fires any more.
        daemon.fixture.pass(milliseconds: 60_000)
        client.hangUp()
        #expect(daemon.fixture.total.detached == 0)
    }

    @Test("If a frame is sent only in part, all its bytes count as growth of the session's memory")
    func halfSent() throws {
        let daemon = try Daemon()
        let client = daemon.fixture.connect()
        client.open()
        client.send(#"{"type":"refresh","seq":1,"view":"list","cause":"code"}"#)
        var grown: [Int] = []
        client.host.services.onGrowth = { bytes, _, _ in grown.append(bytes) }
        client.channel.takesWhole = false
        daemon.fixture.answerLast(1000)
        let frame = try #require(client.channel.frames.last)
        #expect(grown.last == frame.utf8.count)
    }

    @Test("All bytes of a frame that waits for the answer to `hello` count as growth of memory")
    func held() throws {
        let daemon = try Daemon()
        let first = daemon.fixture.connect(to: 1)
        first.open()
        // The requested session is on another loop, which has not answered yet.
        let second = daemon.fixture.connect(to: 0)
        var grown: [Int] = []
        second.host.services.onGrowth = { bytes, _, _ in grown.append(bytes) }
        second.feed(
            #"{"type":"hello","protocol":1,"resume":{"session":"\#(first.session.name)","token":"AAAAAAAAAAAAAAAAAAAAAA","ack":0}}"#
        )
        let frame = #"{"type":"ping","t":1}"#
        second.feed(frame)
        #expect(second.session.isGreeting)
        #expect(grown == [frame.utf8.count])
    }

    @Test("If a session is closed to free memory, the queue for its client is freed too")
    func silent() throws {
        let daemon = try Daemon()
        let client = daemon.fixture.connect()
        client.open()
        client.send(#"{"type":"refresh","seq":1,"view":"list","cause":"code"}"#)
        client.setWritable(false)
        daemon.fixture.answerLast(1000)
        let before = client.channel.frames.count
        try daemon.use(1100)
        daemon.measure()
        #expect(client.channel.closed == .overloaded)
        client.channel.isWritable = true
        #expect(client.channel.frames.count == before)
        #expect(daemon.fixture.total.views == 0)
        client.hangUp()
        #expect(daemon.fixture.total.detached == 0)
    }
}

@Suite("Newest connections")
struct ConnectedSessionsTests {
    private static func key(_ slot: UInt32) -> SessionKey {
        SessionKey(loop: 0, slot: slot, generation: 1)
    }

    @Test("A share of the connections is removed, the newest first, and no connection twice")
    func order() {
        let connectedSessions = ConnectedSessions()
        for slot in 0..<10 { connectedSessions.insert(Self.key(UInt32(slot))) }
        connectedSessions.remove(Self.key(8))
        #expect(connectedSessions.removeNewest(share: 0.2) == [Self.key(9), Self.key(7)])
        #expect(connectedSessions.removeNewest(share: 0.001) == [Self.key(6)])
        #expect(connectedSessions.count == 6)
        #expect(connectedSessions.removeNewest(share: 1).count == 6)
        #expect(connectedSessions.removeNewest(share: 1).isEmpty)
    }

    @Test("Ended connections do not occupy memory for long")
    func room() {
        let connectedSessions = ConnectedSessions()
        connectedSessions.insert(Self.key(0))
        for slot in 1..<10_000 {
            connectedSessions.insert(Self.key(UInt32(slot)))
            connectedSessions.insert(Self.key(UInt32(slot + 10_000)))
            connectedSessions.remove(Self.key(UInt32(slot)))
            connectedSessions.remove(Self.key(UInt32(slot + 10_000)))
        }
        #expect(connectedSessions.count == 1)
        #expect(connectedSessions.entryCount < 100)
    }
}
