import Foundation
import Testing
import Workbench

@Suite("Messages to the service manager", .ownThread, .limit)
struct NotifyTests {
    @Test("The daemon reports when it is ready, when it reloads, and when it stops")
    func lifeSigns() throws {
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

    @Test("The daemon sends `WATCHDOG=1` in each interval that the service manager requests")
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
