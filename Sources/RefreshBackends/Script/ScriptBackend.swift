package import RefreshBroker
internal import RefreshProtocol
internal import Synchronization

/// A backend that follows a script, for tests, demonstrations and load tests. Source:
/// docs/backends.md, "script".
package struct ScriptBackend: Backend {
    private final class Calls: Sendable {
        let count = Atomic<Int>(0)
    }

    /// The end of a step, prepared before the request is known.
    private enum Ending: Sendable {
        case fixed(Result<Page, LoadFailure>)
        case generated(ScriptedList)
        case never
    }

    private let steps: [ScriptStep]
    private let endings: [Ending]
    private let then: ScriptOptions.Then
    private let calls = Calls()

    package init(_ options: ScriptOptions) throws(BackendConfigurationError) {
        try options.check()
        steps = options.steps
        endings = options.steps.map { Self.ending($0.end, options) }
        then = options.then
    }

    package func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        let index = step(of: calls.count.wrappingAdd(1, ordering: .relaxed).oldValue)
        // This call starts on the broker's thread, which must not generate items. After `yield`, it
        // runs on another thread.
        if case .generated = endings[index] { await Task.yield() }
        try await Self.wait(steps[index], reportingTo: call)
        switch endings[index] {
        case .fixed(let result): return try result.get()
        case .generated(let list): return try list.page(for: call.request)
        case .never: throw Self.cancelled
        }
    }

    /// Returns the index of the step for call `number` (0...).
    private func step(of number: Int) -> Int {
        switch then {
        case .last: min(number, steps.count - 1)
        case .repeat: number % steps.count
        }
    }

    private static let cancelled = LoadFailure(.backendFailed, "The call was cancelled.")

    private static func ending(_ end: ScriptStep.End, _ options: ScriptOptions) -> Ending {
        switch end {
        case .answer(let items, let more, let next, let total, let maxAgeMs):
            let cursor = next.flatMap { $0.isEmpty ? nil : $0 }
            let page = Page(
                items: items, count: (try? PageReader.read(items).count) ?? 0,
                more: more ?? next.map { !$0.isEmpty }, cursor: cursor, total: total,
                lifetimeMs: maxAgeMs)
            return .fixed(.success(page))
        case .generate(let count):
            return .generated(ScriptedList(count: count, paging: options.paging, options.first))
        case .fail(let code, let retryAfterMs):
            let failure = LoadFailure(
                code, "The script specifies this failure.", retryAfterMs: retryAfterMs)
            return .fixed(.failure(failure))
        case .raw(let bytes):
            return .fixed(page(of: bytes))
        case .hang:
            return .never
        }
    }

    private static func page(of bytes: [UInt8]) -> Result<Page, LoadFailure> {
        do throws(AnswerFault) {
            return .success(try PageReader.read(bytes).page(in: bytes))
        } catch {
            let message = "The script's answer is \(error.message)."
            return .failure(LoadFailure(.backendAnswerMalformed, message))
        }
    }

    /// Waits until the step's end is due, and reports the step's progress values meanwhile.
    private static func wait(
        _ step: ScriptStep, reportingTo call: BackendCall
    ) async throws(LoadFailure) {
        let clock = ContinuousClock()
        let start = clock.now
        for (index, progress) in step.progress.enumerated() {
            let place = Double(index + 1) / Double(step.progress.count + 1)
            try await sleep(until: start + .milliseconds(Double(step.afterMs) * place))
            call.report(progress)
        }
        if case .hang = step.end {
            while true { try await sleep(until: clock.now + .seconds(86_400)) }
        }
        if step.afterMs > 0 { try await sleep(until: start + .milliseconds(step.afterMs)) }
    }

    /// Sleeps until `instant`. Throws as soon as the call is cancelled.
    private static func sleep(until instant: ContinuousClock.Instant) async throws(LoadFailure) {
        do {
            try await Task.sleep(until: instant, clock: .continuous)
        } catch {
            throw cancelled
        }
    }
}
