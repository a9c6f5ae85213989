import Foundation
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshBroker

/// What a call costs the thread that begins it, which is the broker's. Source: `Backend`.
@Suite("Where calls begin", .limit)
struct CallBeginningTests {
    /// Whether the calling thread computes less until `load` has suspended than it needs to fill a
    /// tenth of the `bytes` that the backend has to make or to read; and the answer.
    private func begin(
        _ backend: some Backend, _ request: LoadRequest, bytes: Int
    ) async -> (isBrief: Bool, answer: Result<Page, LoadFailure>) {
        let start = Self.threadMs()
        let filled = (0..<bytes / 10).map { UInt8(truncatingIfNeeded: $0) }
        let fillingMs = Self.threadMs() - start
        #expect(filled.count == bytes / 10)
        let (task, beganMs) = Self.start(backend, request)
        return (beganMs < fillingMs, await task.value)
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

    @Test("A script generates its items elsewhere")
    func script() async throws {
        let options = ScriptOptions([ScriptStep(.generate(200_000))])
        let request = LoadRequest(
            feed: "s", kind: .refresh, page: 1, offset: 0, size: 200_000)
        let (isBrief, answer) = await begin(
            try ScriptBackend(options), request, bytes: 200_000 * 20)
        #expect(try answer.get().count == 200_000)
        #expect(isBrief, "it generates them where it is called")
    }

    @Test("An http request is built elsewhere")
    func http() async throws {
        var options = HTTPOptions()
        options.method = .post
        // Nobody listens at that port; all that counts is who builds this.
        let values = Array(repeating: #""p{page}""#, count: 50_000).joined(separator: ",")
        options.body = Array("[\(values)]".utf8)
        let backend = try HTTPBackend(url: "http://127.0.0.1:1/", options: options)
        let request = LoadRequest(feed: "h", kind: .refresh, page: 1, offset: 0, size: 1)
        let (isBrief, answer) = await begin(backend, request, bytes: values.utf8.count)
        #expect(throws: LoadFailure.self) { try answer.get() }
        #expect(isBrief, "it builds it where it is called")
    }

    @Test("A file is read elsewhere")
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
        #expect(isBrief, "it reads it where it is called")
    }
}
