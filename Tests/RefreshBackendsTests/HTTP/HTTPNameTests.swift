import Foundation
import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

/// The system's resolver finds the addresses of host names. In a child process, a preloaded library
/// replaces the resolver: the first two queries for `held.test` hang, and later ones return
/// 127.0.0.1.
@Suite("Slow name resolution", .limit)
struct HTTPNameTests {
    private static let mark = "REFRESHD_HELD_NAME"
    private static var isChild: Bool { ProcessInfo.processInfo.environment[mark] != nil }

    private static let source = #"""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <netdb.h>
        #include <stdatomic.h>
        #include <string.h>
        #include <unistd.h>
        static atomic_int requests, ended;
        int held_requests(void) { return requests; }
        int held_ended(void) { return ended; }
        int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                        struct addrinfo **found) {
            int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
                dlsym(RTLD_NEXT, "getaddrinfo");
            if (!name || strcmp(name, "held.test")) return next(name, service, hints, found);
            if (++requests <= 2) { sleep(20); ended++; }
            return next("127.0.0.1", service, hints, found);
        }
        """#

    @Test("A name query that hangs does not delay a timeout, a cancellation or the next call")
    func hangingResolver() async throws {
        if Self.isChild { return }
        let file = try TemporaryFile("held.c", Self.source)
        let library = file.path + ".so"
        let compiler = ["cc", "-shared", "-fPIC", "-o", library, file.path, "-ldl"]
        #expect(try await runProgram("/usr/bin/env", compiler) == 0)
        // A sanitizer may already have a library in this variable.
        let preloaded = ProcessInfo.processInfo.environment["LD_PRELOAD"].map { $0 + ":" } ?? ""
        let status = try await runTestsAlone(
            "HTTPNameTests", ["LD_PRELOAD": preloaded + library, Self.mark: "1"])
        #expect(status == 0)
    }

    @Test(
        "In the child process, all loads end while the name queries hang", .enabled(if: isChild))
    func inChild() async throws {
        let request = LoadRequest(feed: "h", kind: .refresh, page: 1, offset: 0, size: 20)
        let server = try LocalServer { $0.reply(200, "[1]") }
        let options = HTTPOptions.patient { $0.connectTimeoutMs = 1500 }
        let backend = try HTTPBackend(
            url: "http://held.test:\(server.port)/", options: options)

        let failed = await backend.failure(request)
        #expect(failed == LoadFailure(.backendUnavailable, "No connection in 1500 ms."))
        #expect((Self.number("held_requests"), Self.number("held_ended")) == (1, 0))

        let cancelled = Task { try await backend.load(request) }
        #expect(await becomesTrue { Self.number("held_requests") == 2 })
        cancelled.cancel()
        await #expect(throws: LoadFailure.self) { try await cancelled.value }
        #expect(try await backend.load(request).count == 1)
        #expect(Self.number("held_ended") == 0)
    }

    /// Returns the result of a function of the preloaded library; nil without the library.
    private static func number(_ name: String) -> Int32? {
        typealias Function = @convention(c) () -> Int32
        guard let found = unsafe dlsym(nil, name) else { return nil }
        return unsafe unsafeBitCast(found, to: Function.self)()
    }
}
