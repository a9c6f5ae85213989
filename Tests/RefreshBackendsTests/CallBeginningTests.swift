import Foundation
import RefreshBroker
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshBackends

/// The CPU time that the start of a call takes on the broker's thread. Source: `Backend`.
@Suite("The part of a backend call on the broker's thread", .limit)
struct CallBeginningTests {
    /// Returns the answer, and whether the first part of `load` was brief. The first part ends at
    /// the first suspension. `bytes` is the number of bytes that the backend must create or read.
    /// The first part is brief if it takes less CPU time than filling an array of a tenth of these
    /// bytes. Other work of the machine can make a part longer, but never shorter, so one brief
    /// part of ten is enough.
    private func begin(
        _ backend: some Backend, _ request: LoadRequest, bytes: Int
    ) async -> (isBrief: Bool, answer: Result<Page, LoadFailure>) {
        let start = Self.threadMs()
        let filled = (0..<bytes / 10).map { UInt8(truncatingIfNeeded: $0) }
        let fillingMs = Self.threadMs() - start
        #expect(filled.count == bytes / 10)
        var (task, beganMs) = Self.start(backend, request)
        var answer = await task.value
        for _ in 1..<10 where beganMs >= fillingMs {
            (task, beganMs) = Self.start(backend, request)
            answer = await task.value
        }
        return (beganMs < fillingMs, answer)
    }

    private static func start(
        _ backend: some Backend, _ request: LoadRequest
    ) -> (Task<Result<Page, LoadFailure>, Never>, Double) {
        let start = threadMs()
        let task = Task.immediate { () -> Result<Page, LoadFailure> in
            do throws(LoadFailure) {
                return .success(try await backend.load(BackendCall(request)))
            } catch {
                return .failure(error)
            }
        }
        return (task, threadMs() - start)
    }

    private static func threadMs() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }

    @Test("A script backend generates its items on another thread")
    func script() async throws {
        let options = ScriptOptions([ScriptStep(.generate(200_000))])
        let request = LoadRequest(
            feed: "s", kind: .refresh, page: 1, offset: 0, size: 200_000)
        let (isBrief, answer) = await begin(
            try ScriptBackend(options), request, bytes: 200_000 * 20)
        #expect(try answer.get().count == 200_000)
        #expect(isBrief, "the items are generated on the calling thread")
    }

    @Test("The http backend builds its request on another thread")
    func http() async throws {
        var options = HTTPOptions()
        options.method = .post
        // No server listens at this port. The test only needs a body that takes long to build.
        let values = Array(repeating: #""p{page}""#, count: 50_000).joined(separator: ",")
        options.body = Array("[\(values)]".utf8)
        let backend = try HTTPBackend(url: "http://127.0.0.1:1/", options: options)
        let request = LoadRequest(feed: "h", kind: .refresh, page: 1, offset: 0, size: 1)
        let (isBrief, answer) = await begin(backend, request, bytes: values.utf8.count)
        #expect(throws: LoadFailure.self) { try answer.get() }
        #expect(isBrief, "the request is built on the calling thread")
    }

    @Test("The file backend reads its file on another thread")
    func file() async throws {
        let items = "[\(Array(repeating: "1", count: 500_000).joined(separator: ","))]"
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(UUID().uuidString).json")
        try Data(items.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let request = LoadRequest(feed: "f", kind: .refresh, page: 1, offset: 0, size: 10)
        let (isBrief, answer) = await begin(
            try FileBackend(path: file.path), request, bytes: items.utf8.count)
        #expect(try answer.get().count == 10)
        #expect(isBrief, "the file is read on the calling thread")
    }
}
