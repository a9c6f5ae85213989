import Testing

@testable import RefreshBroker

/// The budget limits the retries of a backend to a part of its calls. The back-off is the pause
/// before a retry. Source: docs/backends.md, "Retries".
@Suite("Retries: budget and back-off")
struct RetryBudgetTests {
    @Test("Ten retries are free, and each call adds a part of a retry", arguments: [0, 1, 10, 100])
    func budget(percent: Int) {
        var budget = RetryBudget(percent: percent)
        var spent = 0
        while budget.consumeRetry() { spent += 1 }
        #expect(spent == 10)
        for _ in 0..<500 { budget.recordCall() }
        spent = 0
        while budget.consumeRetry() { spent += 1 }
        #expect(spent == 5 * percent)
    }

    @Test("However many calls succeed, they add at most the retries of a thousand calls")
    func bound() {
        var budget = RetryBudget(percent: 10)
        for _ in 0..<1_000_000 { budget.recordCall() }
        var spent = 0
        while budget.consumeRetry() { spent += 1 }
        #expect(spent == 110)
    }

    @Test(
        "The longest pause doubles with each attempt, up to the cap",
        arguments: [(1, 100), (2, 200), (3, 400), (4, 500), (9, 500), (1000, 500)])
    func longest(attempt: Int, longestMs: Int) {
        var policy = BackendPolicy.Retry()
        policy.baseMs = 100
        policy.capMs = 500
        #expect(BackOff(policy).longestMs(after: attempt) == longestMs)
    }

    @Test("A pause is random, at most the longest pause, and at least what the backend requests")
    func jitter() {
        let backOff = BackOff(BackendPolicy.Retry())
        var random = SeededRandom(seed: 5)
        let pauses = (0..<2000).map { _ in backOff.pauseMs(after: 1, atLeast: nil, &random) }
        #expect(pauses.min() == 0 && pauses.max() == 100)
        let mean = pauses.reduce(0, +) / pauses.count
        #expect((45...55).contains(mean))
        let backendPauses = (0..<100).map { _ in backOff.pauseMs(after: 1, atLeast: 90, &random) }
        #expect(backendPauses.allSatisfy { (90...100).contains($0) })
        var same = SeededRandom(seed: 5)
        let repeated = (0..<2000).map { _ in backOff.pauseMs(after: 1, atLeast: nil, &same) }
        #expect(pauses == repeated)
    }
}
