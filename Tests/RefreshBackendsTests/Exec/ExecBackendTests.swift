import Foundation
import RefreshBroker
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshBackends

/// The backend `exec` with real processes that follow the protocol.
@Suite("exec", .limit)
struct ExecBackendTests {
    static let echo = """
        while (l := load()) is not None:
            page(l, l, more=False, total=7, next="after", maxAgeMs=5)
        """

    @Test("A process answers a load, and the items of its page are returned byte for byte")
    func page() async throws {
        let rig = try ExecRig(
            """
            while (l := load()) is not None:
                print('{"more":true, "items" : [ {"n":1.50e1} ,"\\\\u00e9"],"x":[1],"next":"c",'
                      '"id":"%s","total":3,"type":"page","maxAgeMs":9}' % l["id"], flush=True)
            """)
        let page = try await rig.load()
        #expect(String(decoding: page.items, as: UTF8.self) == #"[ {"n":1.50e1} ,"\u00e9"]"#)
        #expect(page.count == 2)
        #expect(page.more == true)
        #expect(page.cursor == "c")
        #expect(page.total == 3)
        #expect(page.lifetimeMs == 9)
    }

    @Test("The process receives every field of the request")
    func request() async throws {
        let rig = try ExecRig(Self.echo)
        let request = LoadRequest(
            feed: "songs", kind: .refresh, trigger: .refreshControl, page: 1, offset: 0, size: 5,
            cursor: "a\"b\n",
            parameters: [
                LoadParameter(name: "q", value: .text("x\u{2028}\\")),
                LoadParameter(name: "year", value: .integer(-3)),
                LoadParameter(name: "price", value: .number(1.5)),
                LoadParameter(name: "sold", value: .boolean(true)),
            ],
            headers: [HeaderField(name: "accept-language", value: "de")], subject: "anna")
        let page = try await rig.backend.load(
            BackendCall(
                id: CallID(17), request, idempotencyKey: "k-1", attempt: 3,
                deadline: MonotonicTime.now.advanced(byMilliseconds: 30_000.0)))
        let list = try JSONSerialization.jsonObject(with: Data(page.items)) as? [[String: Any]]
        let received = try #require(list?.first)
        #expect(received["id"] as? String == "17")
        #expect(received["key"] as? String == "k-1")
        #expect(received["attempt"] as? Int == 3)
        let left = try #require(received["deadlineMs"] as? Int)
        #expect((20_000...30_000).contains(left))
        #expect(received["feed"] as? String == "songs")
        #expect(received["kind"] as? String == "refresh")
        #expect(received["trigger"] as? String == "refreshControl")
        #expect(received["page"] as? Int == 1)
        #expect(received["offset"] as? Int == 0)
        #expect(received["size"] as? Int == 5)
        #expect(received["cursor"] as? String == "a\"b\n")
        let parameters = try #require(received["parameters"] as? [String: Any])
        #expect(parameters["q"] as? String == "x\u{2028}\\")
        #expect(parameters["year"] as? Int == -3)
        #expect(parameters["price"] as? Double == 1.5)
        #expect(parameters["sold"] as? Bool == true)
        #expect(received["headers"] as? [String: String] == ["accept-language": "de"])
        #expect(received["subject"] as? String == "anna")
    }

    @Test("Loads are distributed over the processes, and wait while all processes are busy")
    func spread() async throws {
        let rig = try ExecRig(
            """
            while (l := load()) is not None:
                time.sleep(0.02)
                page(l, os.getpid())
            """
        ) { $0.processes = 3 }
        let pages = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<30 { group.addTask { try await rig.items() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(pages.count == 30)
        #expect(Set(pages).count == 3)
        #expect(rig.backend.counters.joined == 3)
    }

    @Test("One process can have several loads at the same time and answer them in any order")
    func several() async throws {
        let rig = try ExecRig(
            """
            first, second = load(), load()
            page(second, second["key"])
            page(first, first["key"])
            load()
            """
        ) { $0.loadsPerProcess = 2 }
        async let one = rig.items()
        async let two = rig.items()
        #expect(try await Set([one, two]) == [#"["key-1"]"#, #"["key-2"]"#])
    }

    @Test("A worker's progress, failure messages and feed changes are reported")
    func others() async throws {
        let rig = try ExecRig(
            """
            l = load()
            send(type="progress", id=l["id"], progress=0.25)
            send(type="progress", id=l["id"], progress=1)
            send(type="changed", feed="more")
            send(type="failed", id=l["id"], message="x" * 300, temporary=True, retryAfterMs=70)
            l = load()
            send(type="failed", id=l["id"], temporary=True)
            l = load()
            send(type="failed", id=l["id"], message="no", retryAfterMs=1)
            load()
            """)
        let steps = Mutex<[Double]>([])
        do throws(LoadFailure) {
            _ = try await rig.load { step in steps.withLock { $0.append(step) } }
            Issue.record("a page arrived instead of a failure")
        } catch {
            #expect(error.code == .backendBusy)
            #expect(error.message == String(repeating: "x", count: 200))
            #expect(error.retryAfterMs == 70)
        }
        #expect(steps.withLock { $0 } == [0.25, 1])
        #expect(rig.announced == ["more"])
        #expect(await rig.failure()?.code == .backendFailed)
        let last = await rig.failure()
        #expect(last == LoadFailure(.backendRejected, "no"))
    }

    /// Signals 32 and 33 are reserved for glibc, and no program can use them. The `posix_spawn` of
    /// glibc leaves them ignored.
    private static let ownOfLibrary: UInt64 = 0x1_8000_0000

    @Test("A process has no blocked signals, its own environment and folder, and three open files")
    func clean() async throws {
        let before = unsafe open("/dev/null", O_RDONLY)
        defer { close(before) }
        let rig = try ExecRig(
            """
            status = dict(l.split(":", 1) for l in open("/proc/self/status"))
            files = sorted(int(f) for f in os.listdir("/proc/self/fd"))
            l = load()
            page(l, status["SigBlk"].strip(), status["SigIgn"].strip(), sorted(os.environ),
                 os.environ["NAME"], os.getcwd(), files, os.getpgid(0) == os.getpid())
            load()
            """
        ) {
            $0.environment = ["NAME": "a=b c"]
            $0.folder = "/usr"
        }
        let page = try await rig.load()
        let received = try #require(
            try JSONSerialization.jsonObject(with: Data(page.items)) as? [Any])
        #expect(received[0] as? String == "0000000000000000")
        // Python itself ignores SIGPIPE and SIGXFSZ.
        let ignored = try #require((received[1] as? String).flatMap { UInt64($0, radix: 16) })
        #expect(ignored & ~Self.ownOfLibrary == 0x1001000)
        let names = try #require(received[2] as? [String])
        #expect(Set(names).subtracting(["LC_CTYPE"]) == ["LANG", "NAME", "PATH"])
        #expect(received[3] as? String == "a=b c")
        #expect(received[4] as? String == "/usr")
        // Descriptor 3 is the folder from which the process reads this list.
        #expect(received[5] as? [Int] == [0, 1, 2, 3])
        #expect(received[6] as? Bool == true)
    }

    @Test("A process does not inherit the daemon's blocked and ignored signals")
    func signals() async throws {
        let rig = try await Self.withIgnored(SIGUSR2) {
            try ExecRig(
                #"""
                read line
                mask=$(grep SigBlk /proc/self/status | cut -f 2)
                ignored=$(grep SigIgn /proc/self/status | cut -f 2)
                id=$(echo "$line" | sed 's/.*"id":"\([0-9]*\)".*/\1/')
                echo "{\"type\":\"page\",\"id\":\"$id\",\"items\":[\"$mask\",\"$ignored\"]}"
                read line
                """#, shell: true)
        }
        let masks = try await rig.items().split { !$0.isHexDigit }
        let numbers = masks.compactMap { UInt64($0, radix: 16) }
        try #require(numbers.count == 2)
        #expect(numbers[0] == 0)
        #expect(numbers[1] & ~Self.ownOfLibrary == 0)
    }

    private static func withIgnored<R>(
        _ signalNumber: Int32, _ body: () throws -> R
    ) async throws -> R {
        let before = signal(signalNumber, SIG_IGN)
        defer { signal(signalNumber, before) }
        let result = try body()
        // The process must start while the signal is ignored, so the function returns only after
        // the start.
        if let rig = result as? ExecRig { try await rig.wait { !rig.started.isEmpty } }
        return result
    }

    @Test("Lines on standard error are logged")
    func standardError() async throws {
        let rig = try ExecRig(
            """
            print("one\\ntwo", file=sys.stderr, flush=True)
            page(load())
            load()
            """)
        #expect(try await rig.items() == "[]")
        try await rig.wait { rig.errorLines == ["one", "two"] }
    }

    @Test("Stop sends bye, and no process is left when it returns")
    func stop() async throws {
        let rig = try ExecRig(
            """
            while (l := load()) is not None:
                page(l)
            print("left by bye", file=sys.stderr)
            """
        ) {
            $0.processes = 2
            $0.graceMs = 20_000
        }
        _ = try await rig.items()
        try await rig.wait { rig.started.count == 2 }
        rig.backend.stop()
        #expect(rig.errorLines == ["left by bye", "left by bye"])
        #expect(rig.started.allSatisfy { !isRunning($0) })
        #expect(await rig.failure()?.code == .backendFailed)
    }

    @Test("Stop fails the running loads and kills a process that does not end")
    func stopKills() async throws {
        let rig = try ExecRig(
            """
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            load()
            print("has it", file=sys.stderr, flush=True)
            while True: time.sleep(60)
            """)
        async let failure = rig.failure()
        try await rig.wait { rig.errorLines == ["has it"] }
        rig.backend.stop()
        #expect(await failure?.code == .backendFailed)
        #expect(rig.events.contains { if case .ended(_, nil, 9) = $0 { true } else { false } })
        #expect(rig.started.allSatisfy { !isRunning($0) })
    }
}
