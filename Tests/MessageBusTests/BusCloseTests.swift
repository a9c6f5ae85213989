import BusTesting
import Foundation
import MessageBus
import Synchronization
import Testing
import Workbench

@Suite(
    "Closing a connection to the bus", .limit, .serialized,
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed: run scripts/setup"))
struct BusCloseTests {
    @Test("What was published before the connection is closed arrives")
    func sendsAll() async throws {
        let server = try NATSServer("max_pending: 536870912")
        let two = try BusRecorder(server)
        try two.connection.subscribe("a")
        #expect(await two.connects())
        var expected = 0
        for round in 1...20 {
            let one = try BusRecorder(server)
            #expect(await one.connects())
            for number in 0..<20 {
                let message = [UInt8](repeating: UInt8(number), count: 1 << 20)
                #expect(one.connection.publish(message, to: "a"))
            }
            #expect(one.publish("\(round)", to: "a"))
            let time = ContinuousClock().measure { one.connection.close() }
            #expect(!one.publish("late", to: "a"))
            // On a busy machine, the time of `close` may not be enough.
            guard time < .milliseconds(900) else { return }
            expected += 21
            #expect(await becomesTrue { two.count > expected })
            #expect(two.lastEvent == .received(Array("\(round)".utf8), subject: "a"))
        }
    }

    @Test("No event comes after the end of `close`, in a storm of messages")
    func noEventAfterwards() async throws {
        let server = try NATSServer()
        let (storm, other) = (try BusRecorder(server), try BusRecorder(server))
        try other.connection.subscribe("end")
        #expect(await storm.reaches(other, by: "end"))
        for round in 0..<40 {
            let count = LateCount()
            let bus = try BusListener(BusOptions(name: "b", servers: [server.url])) { _ in
                count.handle()
            }
            try bus.connection.subscribe("a")
            let blow = { for _ in 0..<200 { storm.publish("gust", to: "a") } }
            #expect(
                await becomesTrue {
                    blow()
                    return count.events > 100
                })
            blow()
            bus.close()
            count.close()
            bus.close()
            storm.publish("\(round)", to: "end")
            #expect(await becomesTrue { other.messages.last == "\(round)" })
            #expect(count.lateEvents == 0)
        }
    }

    /// Counts events, and those that come after the end of `close`.
    private final class LateCount: Sendable {
        private let counts = Mutex((events: 0, late: 0, isClosed: false))

        func handle() {
            counts.withLock { counts in
                counts.events += 1
                if counts.isClosed { counts.late += 1 }
            }
        }

        func close() { counts.withLock { $0.isClosed = true } }

        var events: Int { counts.withLock { $0.events } }
        var lateEvents: Int { counts.withLock { $0.late } }
    }

    @Test("A connection that is closed while it connects, or is released, reports nothing more")
    func closesEarly() async throws {
        // The server accepts connections, and never says anything.
        let accepted = Atomic(0)
        let ended = Atomic(0)
        let mute = try LocalServer(answersBeforeRequest: true) { exchange in
            accepted.add(1, ordering: .relaxed)
            exchange.waitForHangUp()
            ended.add(1, ordering: .relaxed)
        }
        let bus = try BusRecorder(
            BusOptions(name: "early", servers: ["nats://127.0.0.1:\(mute.port)"]))
        #expect(await becomesTrue { accepted.load(ordering: .relaxed) > 0 })
        let time = ContinuousClock().measure { bus.connection.close() }
        #expect(time < .seconds(2) * patience)
        let events = bus.events
        // The end of its last connection is the last thing that it could report.
        #expect(
            await becomesTrue {
                ended.load(ordering: .relaxed) == accepted.load(ordering: .relaxed)
            })
        #expect(bus.events == events)
    }

    @Test("The handler is released after the end of a connection")
    func releases() async throws {
        final class Witness: Sendable {
            let events = Atomic(0)
        }
        let server = try NATSServer()
        for isClosed in [true, false] {
            weak var witness: Witness?
            do {
                let held = Witness()
                witness = held
                let bus = try BusListener(BusOptions(name: "r", servers: [server.url])) { _ in
                    held.events.add(1, ordering: .relaxed)
                }
                try bus.connection.subscribe("a")
                #expect(await becomesTrue { held.events.load(ordering: .relaxed) > 0 })
                if isClosed { bus.close() }
            }
            #expect(await becomesTrue { witness == nil })
        }
    }

    private static let mark = "REFRESHD_COUNTED_BUS"
    private static var isChild: Bool { ProcessInfo.processInfo.environment[mark] != nil }

    // Other tests of this process have threads and sockets too.
    @Test("200 connections are opened and closed: neither threads nor descriptors remain")
    func leavesNothing() async throws {
        if Self.isChild { return }
        #expect(try await runTestsAlone("BusCloseTests/inChild", [Self.mark: "1"]) == 0)
    }

    @Test(
        "In the child process, the threads and descriptors are counted", .enabled(if: isChild))
    func inChild() async throws {
        let server = try NATSServer()
        func cycle() async throws {
            let bus = try BusRecorder(server)
            try bus.connection.subscribe("a")
            try bus.connection.subscribe("b")
            #expect(await bus.connects())
            bus.publish("x", to: "c")
            bus.connection.close()
        }
        for _ in 0..<10 { try await cycle() }
        let before = try counts()
        for _ in 0..<200 { try await cycle() }
        // The concurrency library may start a thread for each core meanwhile.
        let spare = ProcessInfo.processInfo.activeProcessorCount + 4
        #expect(
            await becomesTrue {
                guard let after = try? counts() else { return false }
                return after.files <= before.files + 4 && after.threads <= before.threads + spare
            })
    }

    private func counts() throws -> (threads: Int, files: Int) {
        let manager = FileManager.default
        return (
            try manager.contentsOfDirectory(atPath: "/proc/self/task").count,
            try manager.contentsOfDirectory(atPath: "/proc/self/fd").count
        )
    }
}
