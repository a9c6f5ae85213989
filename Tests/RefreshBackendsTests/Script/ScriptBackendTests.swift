import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

@Suite("The script backend", .limit)
struct ScriptBackendTests {
    private static func request(
        page: Int = 0, offset: Int = 0, size: Int = 20, cursor: String? = nil
    ) -> LoadRequest {
        LoadRequest(
            feed: "test", kind: .more, page: page, offset: offset, size: size, cursor: cursor)
    }

    private static func answer(_ text: String) -> ScriptStep {
        ScriptStep(.answer(items: Array(text.utf8)))
    }

    /// Returns the items of `count` consecutive calls, or the codes of their failures.
    private static func texts(_ options: ScriptOptions, _ count: Int) async throws -> [String] {
        let backend = try ScriptBackend(options)
        var texts: [String] = []
        for _ in 0..<count {
            do throws(LoadFailure) {
                let page = try await backend.load(request())
                texts.append(String(decoding: page.items, as: UTF8.self))
            } catch {
                texts.append(error.code.rawValue)
            }
        }
        return texts
    }

    @Test("Call n performs step n. Later calls repeat the last step, or the script from its start")
    func order() async throws {
        var options = ScriptOptions([
            Self.answer("[1]"), ScriptStep(.fail(.backendBusy)), Self.answer("[3]"),
        ])
        #expect(try await Self.texts(options, 5) == ["[1]", "backendBusy", "[3]", "[3]", "[3]"])
        options.then = .repeat
        #expect(
            try await Self.texts(options, 5) == ["[1]", "backendBusy", "[3]", "[1]", "backendBusy"])
    }

    @Test("An answer has the fields of its step")
    func answer() async throws {
        let end = ScriptStep.End.answer(
            items: Array("[ 1,2 ]".utf8), more: nil, next: "c", total: 9, maxAgeMs: 4000)
        let page = try await ScriptBackend(ScriptOptions([ScriptStep(end)])).load(Self.request())
        var expected = Page(
            items: Array("[ 1,2 ]".utf8), count: 2, more: true, cursor: "c", total: 9)
        expected.lifetimeMs = 4000
        #expect(page == expected)
    }

    @Test(
        "A generated list is paged by page, offset or cursor",
        arguments: [
            (PagingStyle.page, Self.request(page: 3, offset: 20, size: 10)),
            (.offset, Self.request(page: 2, offset: 20, size: 10)),
            (.cursor, Self.request(page: 2, offset: 20, size: 10, cursor: "20")),
        ])
    func generated(_ paging: PagingStyle, _ request: LoadRequest) async throws {
        var options = ScriptOptions([ScriptStep(.generate(22))])
        options.paging = paging
        let page = try await ScriptBackend(options).load(request)
        #expect(
            String(decoding: page.items, as: UTF8.self)
                == #"[{"id":21,"title":"Item 21"},{"id":22,"title":"Item 22"}]"#)
        #expect((page.count, page.more, page.total, page.cursor) == (2, false, 22, nil))
        let beyond = try await ScriptBackend(options).load(
            Self.request(page: 1 << 40, offset: 1 << 40, size: 10, cursor: "99"))
        #expect((beyond.count, beyond.more) == (0, false))
    }

    @Test("The answer arrives after `afterMs`, and progress is reported evenly before it")
    func paced() async throws {
        let step = ScriptStep(
            .answer(items: Array("[1]".utf8)), afterMs: 90, progress: [0.25, 0.5])
        let backend = try ScriptBackend(ScriptOptions([step]))
        let clock = ContinuousClock()
        let start = clock.now
        let (times, continuation) = AsyncStream<ContinuousClock.Instant>.makeStream()
        let call = BackendCall(Self.request()) { _ in continuation.yield(clock.now) }
        _ = try await backend.load(call)
        let end = clock.now
        continuation.finish()
        var delays: [Duration] = []
        for await time in times { delays.append(time - start) }
        #expect(delays.count == 2 && end - start >= .milliseconds(90))
        #expect(delays[0] >= .milliseconds(30) && delays[1] >= .milliseconds(60))
    }

    @Test("A waiting call ends at once if it is cancelled", arguments: [3_600_000, 0])
    func cancelled(_ afterMs: Int) async throws {
        let end: ScriptStep.End = afterMs == 0 ? .hang : .generate(1)
        let backend = try ScriptBackend(ScriptOptions([ScriptStep(end, afterMs: afterMs)]))
        let call = Task { try await backend.load(Self.request()) }
        call.cancel()
        await #expect(throws: LoadFailure.self) { try await call.value }
    }

    @Test("An invalid step is refused with its key")
    func refused() throws {
        let steps: [(ScriptStep, String)] = [
            (Self.answer("{}"), "items"), (Self.answer("[1"), "items"),
            (Self.answer(#"{"items":[]}"#), "items"),
            (ScriptStep(.answer(items: Array("[]".utf8), total: -1)), "total"),
            (ScriptStep(.answer(items: Array("[]".utf8), maxAgeMs: -1)), "maxAgeMs"),
            (ScriptStep(.generate(-1)), "generate"), (ScriptStep(.generate(1_000_001)), "generate"),
            (ScriptStep(.fail(.unknownFeed)), "fail"),
            (ScriptStep(.fail(.backendBusy, retryAfterMs: -1)), "retryAfterMs"),
            (ScriptStep(.fail(.backendBusy, retryAfterMs: 86_400_001)), "retryAfterMs"),
            (ScriptStep(.hang, afterMs: 3_600_001), "afterMs"),
            (ScriptStep(.hang, afterMs: -1), "afterMs"),
            (ScriptStep(.hang, progress: [1.5]), "progress"),
            (ScriptStep(.hang, progress: [.nan]), "progress"),
        ]
        for (step, key) in steps {
            let options = ScriptOptions([Self.answer("[]"), step])
            #expect(throws: BackendConfigurationError.self) { try ScriptBackend(options) }
            do throws(BackendConfigurationError) {
                try options.check()
            } catch {
                #expect(error.key == "steps[1].\(key)")
            }
        }
        #expect(throws: BackendConfigurationError.self) { try ScriptBackend(ScriptOptions([])) }
    }
}
