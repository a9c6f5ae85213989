import Foundation
import Synchronization
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer

@Suite("Messages to the service manager")
struct ServiceNotifierTests {
    @Test(
        "Each message has the format of sd_notify, on a path and on an abstract socket name",
        arguments: ["/tmp/", "@"])
    func messages(start: String) throws {
        let socket = try NotifySocket(start + "refreshd-\(UUID().uuidString)")
        let notify = ServiceNotifier(environment: ["NOTIFY_SOCKET": socket.name])
        notify(.ready, .status("serving\nSTOPPING=1"))
        #expect(socket.next() == "READY=1\nSTATUS=servingSTOPPING=1")
        notify(.reloading(microseconds: 12))
        #expect(socket.next() == "RELOADING=1\nMONOTONIC_USEC=12")
        notify(.stopping)
        #expect(socket.next() == "STOPPING=1")
        notify(.alive)
        #expect(socket.next() == "WATCHDOG=1")
    }

    @Test("If no service manager listens, nothing happens")
    func noManager() {
        for name in [
            "", "relative", "/nonexistent/socket", "@" + String(repeating: "a", count: 200),
        ] {
            ServiceNotifier(environment: ["NOTIFY_SOCKET": name])(.ready)
        }
        ServiceNotifier(environment: [:])(.ready)
    }

    @Test("Without a socket or interval, or with a foreign WATCHDOG_PID, the watchdog is off")
    func watchdog() {
        func wanted(_ pid: String?, _ microseconds: String, socket: String = "@a") -> UInt64? {
            var environment = ["NOTIFY_SOCKET": socket, "WATCHDOG_USEC": microseconds]
            environment["WATCHDOG_PID"] = pid
            return ServiceNotifier(environment: environment, process: 7).watchdogMicroseconds
        }
        #expect(wanted("7", "2000000") == 2_000_000)
        #expect(wanted(nil, "2000000") == 2_000_000)
        #expect(wanted("8", "2000000") == nil)
        #expect(wanted("7", "0") == nil)
        #expect(wanted("7", "soon") == nil)
        #expect(wanted("7", "1", socket: "") == nil)
    }
}

@Suite("The watchdog")
struct WatchdogTests {
    private final class Member: Sendable {
        let waiting = Mutex<[@Sendable () -> Void]>([])

        func post(_ answer: @escaping @Sendable () -> Void) {
            waiting.withLock { $0.append(answer) }
        }

        /// Runs the jobs in the mailbox.
        func run() {
            let all = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for answer in all { answer() }
        }
    }

    @Test("The watchdog reports life, and pings again, only after all threads have answered a ping")
    func rounds() {
        let members = [Member(), Member()]
        let signCount = Atomic<Int>(0)
        let watchdog = Watchdog(probing: members.map { member in { member.post($0) } }) {
            signCount.add(1, ordering: .relaxed)
        }
        #expect(watchdog.ping())
        members[0].run()
        #expect(signCount.load(ordering: .relaxed) == 0)
        // The second thread has not answered. Therefore life is not reported, and no thread is
        // pinged again.
        for _ in 0..<5 { #expect(!watchdog.ping()) }
        #expect(members[0].waiting.withLock { $0.isEmpty })
        members[1].run()
        #expect(signCount.load(ordering: .relaxed) == 1)
        #expect(watchdog.ping())
        members.forEach { $0.run() }
        #expect(signCount.load(ordering: .relaxed) == 2)
    }

    @Test("A life sign requires that all loops and the broker run their posted jobs")
    func hanging() async throws {
        let daemon = try TestDaemon()
        let signCount = Atomic<Int>(0)
        let watchdog = daemon.server.watchdog { signCount.add(1, ordering: .relaxed) }
        watchdog.ping()
        let isSent = await reaches(signCount, 1)
        #expect(isSent)
        let gate = DispatchSemaphore(value: 0)
        daemon.server.loops[1].post { gate.wait() }
        watchdog.ping()
        try await Task.sleep(for: .milliseconds(50))
        #expect(!watchdog.ping())
        #expect(signCount.load(ordering: .relaxed) == 1)
        gate.signal()
        let isSentAgain = await reaches(signCount, 2)
        #expect(isSentAgain)
    }

    private func reaches(_ signCount: borrowing Atomic<Int>, _ count: Int) async -> Bool {
        for _ in 0..<12_000 * patience {
            if signCount.load(ordering: .relaxed) == count { return true }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return false
    }
}
