import Dispatch
import Glibc
import Testing
import Workbench

@testable import WebSocketTransport

@Suite(.ownThread) struct LoopTests {
    @Test("Jobs of many threads run on the loop's thread, and those of one thread keep their order")
    func mailbox() throws {
        let server = try TestServer()
        let ran = Recorder<(thread: Int, number: Int, isOnLoop: Bool)>()
        let loop = server.loop
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<1_000 {
                loop.post { ran.record((thread, number, loop.isOnLoop)) }
            }
        }
        #expect(ran.waitUntil { $0.count == 4_000 })
        #expect(ran.all.allSatisfy { $0.isOnLoop })
        for thread in 0..<4 {
            #expect(ran.all.filter { $0.thread == thread }.map(\.number) == Array(0..<1_000))
        }
        #expect(!loop.isOnLoop)
    }

    @Test("A job that another job posts runs after the waiting jobs")
    func nested() throws {
        let server = try TestServer()
        let ran = Recorder<String>()
        server.loop.post { [loop = server.loop] in
            ran.record("first")
            loop.post { ran.record("third") }
            ran.record("second")
        }
        #expect(ran.waitUntil { $0.count == 3 })
        #expect(ran.all == ["first", "second", "third"])
    }

    @Test("The wakeup fires once, at the earliest requested time and not before")
    func wake() throws {
        let woken = Recorder<Int64>()
        let server = try TestServer { script in
            script.woken = { woken.record(MonotonicClock.nowMicroseconds) }
        }
        let start = try #require(
            server.onLoop { loop in
                let now = MonotonicClock.nowMicroseconds
                loop.scheduleWakeup(at: now + 60_000_000)
                loop.scheduleWakeup(at: now + 20_000)
                loop.scheduleWakeup(at: now + 40_000_000)
                return now
            })
        #expect(woken.waitUntil { !$0.isEmpty })
        #expect(woken.all.count == 1)
        #expect(woken.all[0] >= start + 20_000)
        _ = server.onLoop { $0.scheduleWakeup(at: 0) }
        #expect(woken.waitUntil { $0.count == 2 })
    }

    @Test("A loop sleeps until a requested time, and its timer then fires only once")
    func sleepsUntilWoken() throws {
        let woken = Recorder<Bool>()
        let fired = Recorder<Bool>()
        let loops = Recorder<EventLoop>()
        let server = try TestServer { script in
            script.woken = {
                woken.record(true)
                guard woken.all.count <= 40 else { return }
                loops.all.first?.scheduleWakeup(at: MonotonicClock.nowMicroseconds + 1_400)
            }
        }
        loops.record(server.loop)
        _ = server.onLoop { loop in
            let action = loop.wakeTimer.action
            loop.wakeTimer.action = {
                fired.record(true)
                action()
            }
            loop.scheduleWakeup(at: 0)
        }
        #expect(woken.waitUntil { $0.count == 41 })
        // A timer that rounds 1.4 milliseconds to 1 would fire too early, and then again.
        #expect(fired.all.count == 41)
    }

    @Test("A wakeup that is requested during a wakeup also fires")
    func wakeAgain() throws {
        let woken = Recorder<Int64>()
        let loops = Recorder<EventLoop>()
        let server = try TestServer { script in
            script.woken = {
                let now = MonotonicClock.nowMicroseconds
                woken.record(now)
                if woken.all.count < 5 { loops.all.first?.scheduleWakeup(at: now + 2_000) }
            }
        }
        loops.record(server.loop)
        server.loop.post { [loop = server.loop] in loop.scheduleWakeup(at: 0) }
        #expect(woken.waitUntil { $0.count == 5 })
        for (one, next) in zip(woken.all, woken.all.dropFirst()) { #expect(next - one >= 2_000) }
    }

    @Test("The error for an invalid configuration names the value, and the listeners are closed")
    func configuration() throws {
        let socket = try ListeningSocket.open(host: "127.0.0.72", port: 0)
        do {
            _ = try EventLoop(
                configuration: LoopConfiguration(pingAfterMs: 1_000, hangUpAfterMs: 1_000),
                listeners: [socket], makeHandler: { _ in ScriptHandler(.init()) })
            Issue.record("the invalid configuration was accepted")
        } catch {
            #expect("\(error)".hasPrefix("hangUpAfterMs "))
        }
        // A process that another test starts may hold a copy of the socket until its exec.
        #expect(eventually { RawPeer(host: "127.0.0.72", port: socket.port) == nil })
    }

    @Test("A loop that was never started can be stopped and deallocated")
    func neverStarted() throws {
        let socket = try ListeningSocket.open(host: "127.0.0.73", port: 0)
        let loop = try EventLoop(listeners: [socket]) { _ in ScriptHandler(.init()) }
        loop.stop()
        #expect(eventually { RawPeer(host: "127.0.0.73", port: socket.port) == nil })
        loop.start()
        #expect(!loop.isOnLoop)
    }

    #if DEBUG
        @Test("Access to a connection from another thread ends the process in debug builds")
        func wrongThread() async {
            await #expect(processExitsWith: .failure) {
                let server = try TestServer()
                _ = server.loop.connection(0)
            }
        }
    #endif
}
