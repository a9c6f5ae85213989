import Foundation
import RefreshBroker
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshBackends

/// The backend `exec` with processes that fail or violate the protocol.
@Suite("exec: faults", .limit)
struct ExecFaultTests {
    @Test("If a process dies, another process receives its load as the second attempt")
    func dies() async throws {
        let rig = try ExecRig(
            """
            l = load()
            if l["attempt"] == 1:
                os.write(2, b"first\\nno such list")
                os._exit(3)
            page(l, l["attempt"], l["key"])
            load()
            """)
        #expect(try await rig.items() == #"[2, "key-1"]"#)
        #expect(
            rig.events.contains {
                if case .endedUnexpectedly(_, 3, nil, "no such list") = $0 { true } else { false }
            })
        #expect(rig.backend.counters.reissued == 1)
    }

    @Test("If the second process of a load also dies, the load fails")
    func diesTwice() async throws {
        let rig = try ExecRig("load(); os.kill(os.getpid(), signal.SIGKILL)")
        #expect(await rig.failure()?.code == .backendFailed)
        #expect(rig.started.count >= 2)
    }

    @Test("An answer that a process wrote before its end is accepted")
    func lastErrorLine() async throws {
        let rig = try ExecRig("l = load(); page(l, os.getpid()); os._exit(0)")
        for number in 1...3 {
            #expect(try await rig.items() != "[]")
            // The next load is sent only after the end of this process, so that this load needs no
            // second assignment.
            try await rig.wait {
                rig.events.count { if case .endedUnexpectedly = $0 { true } else { false } }
                    == number
            }
        }
        #expect(rig.backend.counters.reissued == 0)
    }

    @Test("A process that hangs is killed after deadline and grace period, and is replaced")
    func hangs() async throws {
        let rig = try ExecRig(
            """
            for name in ("SIGTERM", "SIGINT", "SIGHUP"):
                signal.signal(getattr(signal, name), signal.SIG_IGN)
            l = load()
            if l["key"] == "key-1":
                while True: time.sleep(60)
            page(l, os.getpid())
            load()
            """)
        #expect(await rig.failure(withinMs: 300)?.code == .backendTimedOut)
        let first = try #require(rig.started.first)
        let answer = try await rig.items()
        #expect(answer != "[\(first)]")
        #expect(!isRunning(first))
        #expect(rig.backend.counters.dismissed == 1)
    }

    @Test("A process cannot escape a kill by joining the daemon's process group")
    func hides() async throws {
        let rig = try ExecRig(
            """
            try: os.setpgid(0, os.getpgid(os.getppid()))
            except PermissionError: pass
            l = load()
            if l["key"] == "key-1":
                while True: time.sleep(60)
            page(l, os.getpgid(0) == os.getpid() == os.getsid(0))
            load()
            """)
        #expect(await rig.failure(withinMs: 300)?.code == .backendTimedOut)
        let first = try #require(rig.started.first)
        try await rig.wait { !isRunning(first) }
        #expect(try await rig.items() == "[true]")
    }

    @Test("A kill because of a cancelled load does not lengthen the pause before the next start")
    func impatience() async throws {
        let rig = try ExecRig("load(); time.sleep(60)") {
            $0.graceMs = 0
            // If this pause grew like other pauses, the test would time out.
            $0.restartBaseMs = 5
            $0.restartCapMs = 3_600_000
        }
        // Some of the loads fail because no process is running.
        while rig.started.count < 25 { #expect(await rig.failure(withinMs: 20) != nil) }
    }

    @Test("A cancelled load returns at once. If its process does not end it, the process is killed")
    func cancelled() async throws {
        let rig = try ExecRig(
            """
            l = load()
            print("has it", file=sys.stderr, flush=True)
            print(sys.stdin.readline().strip(), file=sys.stderr, flush=True)
            time.sleep(60)
            """
        ) { $0.graceMs = 200 }
        let task = Task { await rig.failure() }
        try await rig.wait { rig.errorLines == ["has it"] }
        task.cancel()
        #expect(await task.value != nil)
        try await rig.wait { rig.errorLines.contains(#"{"type":"cancel","id":"1"}"#) }
        let process = try #require(rig.started.first)
        try await rig.wait { !isRunning(process) }
    }

    @Test("A late answer to a cancelled load is counted, and the process receives more loads")
    func late() async throws {
        let rig = try ExecRig(
            """
            l = load()
            print("has it", file=sys.stderr, flush=True)
            sys.stdin.readline()
            page(l, "late")
            while (l := load()) is not None:
                page(l, os.getpid())
            """
        ) { $0.graceMs = 20_000 }
        let task = Task { await rig.failure() }
        try await rig.wait { rig.errorLines == ["has it"] }
        task.cancel()
        _ = await task.value
        let process = try #require(rig.started.first)
        #expect(try await rig.items() == "[\(process)]")
        #expect(rig.backend.counters.lateAnswers == 1)
        #expect(rig.backend.counters.dismissed == 0)
        // Without this stop, the process would stay for its whole grace period.
        rig.backend.stop()
    }

    /// Invalid answers of a process.
    static let garbage: [(name: String, line: String)] = [
        ("text that is not JSON", "'garbage'"),
        ("an empty line", "''"),
        ("an array in place of an object", "'[]'"),
        ("an object without `type`", #"'{"id":"%s","items":[]}' % i"#),
        ("an unknown type", #"'{"type":"pages","id":"%s","items":[]}' % i"#),
        ("a page without `items`", #"'{"type":"page","id":"%s"}' % i"#),
        ("items of the wrong type", #"'{"type":"page","id":"%s","items":{}}' % i"#),
        ("`more` of the wrong type", #"'{"type":"page","id":"%s","items":[],"more":1}' % i"#),
        ("a negative total", #"'{"type":"page","id":"%s","items":[],"total":-1}' % i"#),
        ("two members `id`", #"'{"type":"page","id":"%s","id":"1","items":[]}' % i"#),
        ("a number as id", #"'{"type":"page","id":%s,"items":[]}' % i"#),
        ("the id of an unknown load", #"'{"type":"page","id":"999","items":[]}'"#),
        ("an invalid id", #"'{"type":"page","id":"07","items":[]}'"#),
        ("an object that ends too early", #"'{"type":"page","id":"%s","items":[' % i"#),
        ("a lone surrogate", #"'{"type":"page","id":"%s","items":["\\ud800"]}' % i"#),
        (
            "a number that is too large for a double",
            #"'{"type":"page","id":"%s","items":[1e999]}' % i"#
        ),
        (
            "arrays that are nested too deep",
            #"'{"type":"page","id":"%s","items":%s%s}' % (i, '['*70, ']'*70)"#
        ),
        ("two JSON values in one line", #"'{"type":"page","id":"%s","items":[]} {}' % i"#),
        ("a progress above 1", #"'{"type":"progress","id":"%s","progress":1.5}' % i"#),
        ("a change of another feed", #"'{"type":"changed","feed":"others"}'"#),
        (
            "a registration, which only connected workers may send",
            #"'{"type":"register","token":"","feeds":["songs"]}'"#
        ),
    ]

    @Test("An invalid message ends the process, and its load fails", arguments: garbage)
    func garbled(_ name: String, _ line: String) async throws {
        let rig = try ExecRig(
            """
            l = load()
            i = l["id"]
            if i == "1": print(\(line), flush=True)
            else: page(l, "well")
            load()
            """)
        #expect(await rig.failure()?.code == .backendAnswerMalformed)
        #expect(try await rig.items() == #"["well"]"#)
        #expect(rig.backend.counters.dismissed == 1)
    }

    @Test("A message that is not UTF-8 is invalid")
    func notText() async throws {
        let rig = try ExecRig(
            #"""
            l = load()
            sys.stdout.buffer.write(b'{"type":"page","id":"%s","items":["\xff"]}\n' % l["id"].encode())
            sys.stdout.buffer.flush()
            load()
            """#)
        #expect(await rig.failure()?.code == .backendAnswerMalformed)
    }

    @Test(
        "After an invalid message, the load that it names fails, and other loads are reassigned")
    func othersGoOn() async throws {
        let rig = try ExecRig(
            """
            l = load()
            if l["attempt"] == 1:
                other = load()
                bad = l if l["id"] == "1" else other
                send(type="page", id=bad["id"], items=3)
                time.sleep(60)
            page(l, l["attempt"])
            load()
            """
        ) { $0.loadsPerProcess = 2 }
        async let one = outcome(rig)
        async let two = outcome(rig)
        #expect(await Set([one, two]) == ["backendAnswerMalformed", "[2]"])
    }

    private func outcome(_ rig: ExecRig) async -> String {
        do throws(LoadFailure) {
            return String(decoding: try await rig.load().items, as: UTF8.self)
        } catch {
            return error.code.rawValue
        }
    }

    @Test("A line of a gigabyte is rejected when it exceeds lineBytesMax")
    func gigabyte() async throws {
        let rig = try ExecRig(
            """
            l = load()
            if l["id"] == "1":
                sys.stdout.write('{"type":"page","id":"1","items":["')
                block = "x" * 1048576
                for n in range(1024): sys.stdout.write(block)
            page(l, "well")
            load()
            """
        ) { $0.lineBytesMax = 100_000 }
        let failure = await rig.failure()
        #expect(failure?.code == .backendAnswerTooLarge)
        #expect(failure?.message == "The worker's answer is larger than 100000 bytes.")
        #expect(try await rig.items() == #"["well"]"#)
    }

    @Test("A line may have lineBytesMax bytes, and a longer line is rejected", arguments: [0, 1])
    func bound(_ extra: Int) async throws {
        let rig = try ExecRig(
            """
            l = load()
            head = '{"type":"page","id":"1","items":["'
            print(head + "x" * (2000 + \(extra) - len(head) - 3) + '"]}', flush=True)
            load()
            """
        ) { $0.lineBytesMax = 2000 }
        if extra == 0 {
            #expect(try await rig.load().count == 1)
        } else {
            #expect(await rig.failure()?.code == .backendAnswerTooLarge)
        }
    }

    @Test("If a process ends before the line feed, its last line is not an answer")
    func halfLine() async throws {
        let rig = try ExecRig(
            """
            l = load()
            if l["attempt"] == 1:
                sys.stdout.write('{"type":"page","id":"1","items":[]}')
                sys.stdout.flush()
                os._exit(0)
            page(l, "whole")
            load()
            """)
        #expect(try await rig.items() == #"["whole"]"#)
    }

    @Test("An answer may arrive byte by byte, but a load fails if it is not complete in time")
    func drip() async throws {
        let rig = try ExecRig(
            """
            while (l := load()) is not None:
                for c in json.dumps({"type": "page", "id": l["id"], "items": [1]}) + "\\n":
                    os.write(1, c.encode())
                    time.sleep(0.001 if l["id"] == "1" else 0.2)
            """)
        #expect(try await rig.items() == "[1]")
        #expect(await rig.failure(withinMs: 250)?.code == .backendTimedOut)
    }

    @Test("A flood on standard error does not delay answers, and is mostly omitted from the log")
    func flood() async throws {
        let rig = try ExecRig(
            """
            l = load()
            for n in range(200000): os.write(2, b"y" * 200 + b"\\n") if n < 2000 else None
            os.write(2, b"z" * 3000000 + b"\\n")
            page(l, "well")
            load()
            """)
        #expect(try await rig.items() == #"["well"]"#)
        #expect(rig.errorLines.count < 1000)
        #expect(rig.errorLines.allSatisfy { $0.count <= 1000 })
    }

    @Test("If a child keeps an ended process's pipes, the end is detected, and the child is killed")
    func child() async throws {
        let rig = try ExecRig(
            """
            l = load()
            if l["attempt"] == 1:
                child = os.fork()
                if child == 0:
                    while True: time.sleep(60)
                print(child, file=sys.stderr, flush=True)
                os._exit(0)
            page(l, "another")
            load()
            """)
        #expect(try await rig.items() == #"["another"]"#)
        let child = try #require(rig.errorLines.first.flatMap { Int32($0) })
        try await rig.wait { !isRunning(child) }
    }

    @Test("A process that does not read its input does not delay other processes")
    func doesNotRead() async throws {
        let lock = try TemporaryFile("lock", "")
        let rig = try ExecRig(
            """
            import fcntl
            lock = open(os.environ["LOCK"])
            try: fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                print("ready", file=sys.stderr, flush=True)
                while (l := load()) is not None: page(l, "well")
                sys.exit()
            print("deaf", file=sys.stderr, flush=True)
            time.sleep(600)
            """
        ) {
            $0.processes = 2
            $0.loadsPerProcess = 20
            $0.environment = ["LOCK": lock.path]
        }
        try await rig.wait { Set(rig.errorLines) == ["deaf", "ready"] }
        // Twenty loads with this cursor exceed the capacity of a pipe.
        let long = String(repeating: "c", count: 60_000)
        let answered = ExecRig.LockedList<Void>()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    guard (try? await rig.load(cursor: long)) != nil else { return }
                    answered.append(())
                }
            }
            // At least twenty loads are answered. The remaining loads were assigned to the process
            // that does not read.
            try? await rig.wait { answered.all.count >= 20 }
            group.cancelAll()
        }
        #expect((20..<40).contains(answered.all.count))
    }

    @Test("If a process closes its output, another process receives its load")
    func closesOutput() async throws {
        let rig = try ExecRig(
            """
            l = load()
            if l["attempt"] == 1:
                os.close(1)
                time.sleep(60)
            page(l, "another")
            load()
            """)
        #expect(try await rig.items() == #"["another"]"#)
    }

    @Test("If the program does not exist, starts are retried, and loads fail as unavailable")
    func notThere() async throws {
        let rig = try ExecRig("") { $0.command = ["/nonexistent/program"] }
        let failure = await rig.failure(withinMs: 200)
        #expect(failure?.code == .backendUnavailable)
        try await rig.wait {
            rig.events.filter { $0 == .startFailed("No such file or directory") }.count >= 3
        }
        #expect(rig.started.isEmpty)
    }

    @Test("A process that ends at once is restarted after pauses, and loads wait for it")
    func restarts() async throws {
        let count = try TemporaryFile("count", "")
        let rig = try ExecRig(
            """
            path = os.environ["COUNT"]
            open(path, "a").write("x")
            if os.path.getsize(path) < 4: sys.exit(1)
            l = load()
            page(l, "at last")
            load()
            """
        ) { $0.environment = ["COUNT": count.path] }
        try await rig.wait { rig.started.count == 4 }
        #expect(try await rig.items() == #"["at last"]"#)
    }
}
