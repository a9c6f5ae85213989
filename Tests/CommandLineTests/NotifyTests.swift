import Foundation
import Testing
import Workbench

@Suite("The service manager is told", .ownThread, .limit)
struct NotifyTests {
    @Test("when it is ready, reads its configuration again, and stops")
    func life() throws {
        let socket = try NotifySocket("@refreshd-\(UUID().uuidString)")
        let daemon = try RunningDaemon(
            ["--listen", "127.0.0.1:0"], environment: ["NOTIFY_SOCKET": socket.name])
        #expect(socket.next() == "READY=1\nSTATUS=serving")
        #expect(daemon.firstLine() != nil)
        daemon.send(SIGHUP)
        let reloading = try #require(socket.next())
        #expect(reloading.hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
        let digits = try #require(reloading.split(separator: "=").last)
        #expect((UInt64(digits) ?? 0) > 0)
        #expect(socket.next() == "READY=1\nSTATUS=serving, reloaded")
        daemon.send(SIGTERM)
        #expect(socket.next() == "STOPPING=1\nSTATUS=draining")
        #expect(daemon.waitForEnd().status == 0)
    }

    @Test("that it lives, again and again, in the time that is asked for")
    func watchdog() throws {
        let socket = try NotifySocket(
            FileManager.default.temporaryDirectory.path + "/refreshd-\(UUID().uuidString)")
        let daemon = try RunningDaemon(
            ["--listen", "127.0.0.1:0"],
            environment: ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "200000"])
        #expect(socket.next() == "READY=1\nSTATUS=serving")
        for _ in 0..<5 { #expect(socket.next() == "WATCHDOG=1") }
        daemon.send(SIGINT)
        #expect(daemon.waitForEnd().status == 0)
    }
}
