import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBroker

@Suite("The broker's machine with random events")
struct LoadBrokerRandomTests {
    /// The number of events of each kind in all runs. Every kind of event must occur.
    private struct Seen {
        var counts: [String: Int] = [:]

        mutating func add(_ other: [String: Int]) { counts.merge(other, uniquingKeysWith: +) }
        mutating func add(_ name: String, _ count: Int = 1) { counts[name, default: 0] += count }
    }

    @Test("In 2,000 random runs, every rule holds at every step, and no state is left at the end")
    func randomRuns() async {
        var seen = Seen()
        for seed in 0..<2000 {
            run(seed: UInt64(seed), &seen)
            // Other tests may be waiting for a thread.
            if seed % 100 == 0 { await Task.yield() }
        }
        for name in [
            "page", "cancelled", "timedOut", "late", "joined", "cached", "fresh", "stale",
            "failure",
            "coolDown", "revalidations", "retry", "retrying", "retriesRefused", "progress",
            "breaker",
            "timesOpened", "queue", "backendBusy", "backendSuspended", "backendFailed",
            "backendTimedOut", "halfOpen", "overtaken", "found", "series", "cachedSeries",
            "remote", "lateOwnerEvents", "askedAgain", "performed", "unknown", "sequence",
        ] {
            #expect(seen.counts[name, default: 0] > 20, "\(name) occurs too rarely")
        }
        for result in AskResult.allCases {
            let count = seen.counts["asks that end as \(result)", default: 0]
            #expect(count > 20, "too few asks end as \(result)")
        }
    }

    @Test("Two runs with the same seed yield the same effects")
    func deterministic() {
        for seed in 0..<50 as Range<UInt64> {
            var one = Seen()
            var other = Seen()
            #expect(run(seed: seed, &one) == run(seed: seed, &other), "seed \(seed)")
        }
    }

    @discardableResult
    private func run(seed: UInt64, _ seen: inout Seen) -> [BrokerHarness.Machine.Effect] {
        var generator = SeededGenerator(seed: seed)
        var harness = BrokerHarness(Self.rules(&generator), seed: seed)
        var effects: [BrokerHarness.Machine.Effect] = []
        var started: Set<Int> = []
        // In every third run, the node is in a cluster.
        let owners = seed % 3 == 1 ? SimulatedOwners(seed: seed) : nil
        // Only a long run exhausts the retry budget.
        let steps = seed % 40 == 0 ? 800 : Int.random(in: 5...60, using: &generator)
        for waiter in 0..<steps {
            effects += step(&harness, waiter, &started, &generator)
            if let event = owners?.event(harness, &generator) { effects += harness.send(event) }
        }
        if Int.random(in: 0..<4, using: &generator) == 0 { effects += harness.send(.stopped) }
        // Time advances until no waiter is left. Meanwhile, some calls are answered.
        while let deadline = harness.machine.nextDeadline {
            if Bool.random(using: &generator) { effects += answerOne(&harness, &generator) }
            if let event = owners?.event(harness, &generator) { effects += harness.send(event) }
            effects += harness.pass(to: max(harness.now, deadline))
        }
        while !harness.running.isEmpty { effects += answerOne(&harness, &generator) }
        check(harness, started, &seen)
        return effects
    }

    private func step(
        _ harness: inout BrokerHarness, _ waiter: Int, _ started: inout Set<Int>,
        _ generator: inout SeededGenerator
    ) -> [BrokerHarness.Machine.Effect] {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<7:
            var wait = Double.random(in: -5...120, using: &generator)
            if harness.machine.owners != nil, waiter % 4 == 0 { wait += 3000 }
            started.insert(waiter)
            var request = BrokerRequest(
                Self.request(&generator), idempotencyKey: "\(waiter)",
                keptPages: KeptPages.allCases.randomElement(using: &generator) ?? .any,
                isLookUp: Int.random(in: 0..<6, using: &generator) == 0)
            if harness.machine.owners != nil, !request.isLookUp {
                request.isRemote = Int.random(in: 0..<4, using: &generator) == 0
            }
            if !request.isLookUp, !request.isRemote, Int.random(in: 0..<4, using: &generator) == 0 {
                request.request.kind = .refresh
                request.series = PageSeries(
                    count: .random(in: 1...4, using: &generator),
                    skipped: .random(in: 0..<request.request.page, using: &generator),
                    style: [.page, .offset, .cursor].randomElement(using: &generator) ?? .page)
            }
            return harness.send(
                .started(request, waiter, deadline: harness.now.advanced(byMilliseconds: wait)))
        case 7, 8:
            started.insert(waiter)
            let wait = Double.random(in: -5...120, using: &generator)
            return harness.send(
                .editStarted(
                    Self.edit(waiter, &generator), waiter,
                    deadline: harness.now.advanced(byMilliseconds: wait)))
        case 9:
            // The waiter may be waiting, may have left, or may be unknown.
            let reason: LeaveReason = Bool.random(using: &generator) ? .unwanted : .outOfTime
            return harness.send(
                .waiterCancelled(Int.random(in: 0..<60, using: &generator), because: reason))
        case 10..<15:
            return answerOne(&harness, &generator)
        case 15, 16:
            let step = Double.random(in: 0...40, using: &generator)
            harness.advance(to: harness.now.advanced(byMilliseconds: step))
            return harness.send(.clockAdvanced)
        case 17:
            // This simulates a late timer.
            let step = Double.random(in: 0...200, using: &generator)
            harness.advance(to: harness.now.advanced(byMilliseconds: step))
            return answerOne(&harness, &generator)
        case 18:
            let id = harness.running.keys.min { $0.number < $1.number } ?? CallID(1000)
            return harness.send(.progressed(id, .random(in: -1...2, using: &generator)))
        default:
            if Bool.random(using: &generator) { return harness.send(.feedChanged("b")) }
            return harness.send(
                .answered(
                    CallID(.random(in: 1000...1010, using: &generator)), .success(.of(1))))
        }
    }

    private static func edit(_ waiter: Int, _ generator: inout SeededGenerator) -> EditRequest {
        var edit = EditRequest.insert(
            "\(waiter)", feed: ["a", "b", "c"].randomElement(using: &generator) ?? "a",
            idempotencyKey: "\(waiter)")
        edit.sequence = [nil, "one", "two"].randomElement(using: &generator) ?? nil
        return edit
    }

    private static func rules(_ generator: inout SeededGenerator) -> BrokerRules {
        func pick(_ values: [Int]) -> Int { values.randomElement(using: &generator) ?? 0 }
        var feeds: [String: BrokerRules.Feed] = [:]
        for name in ["a", "b"] {
            var policy = FeedPolicy.editable
            policy.isShared = Bool.random(using: &generator)
            if Bool.random(using: &generator) {
                policy.cache = .init(
                    lifetimeMs: pick([1, 20, 1000]), staleMs: pick([0, 30, 1000]),
                    failureMs: pick([0, 20]))
            }
            policy.coolDownMs = pick([0, 0, 30])
            feeds[name] = .init(
                group: Bool.random(using: &generator) ? "one" : name, policy: policy)
        }
        var backends: [String: BackendPolicy] = [:]
        for name in ["one", "a", "b"] {
            var policy = BackendPolicy()
            policy.calls = pick([1, 2, 5])
            policy.queue = pick([0, 1, 5])
            policy.retry.attempts = pick([1, 2, 4])
            policy.retry.baseMs = pick([1, 10])
            policy.retry.capMs = 40
            policy.retry.budgetPercent = pick([0, 10, 100])
            policy.breaker.failures = pick([0, 1, 3])
            policy.breaker.openMs = pick([1, 20, 100])
            backends[name] = policy
        }
        var rules = BrokerRules(feeds: feeds, backends: backends)
        rules.loadsInFlightMax = pick([1, 3, 8])
        rules.cacheBytesMax = pick([0, 1200, 100_000])
        rules.loadDeadlineMs = pick([20, 100])
        return rules
    }

    private static func request(_ generator: inout SeededGenerator) -> LoadRequest {
        var request = LoadRequest.page(
            Int.random(in: 1...3, using: &generator),
            feed: Bool.random(using: &generator) ? "a" : "b",
            kind: Bool.random(using: &generator) ? .refresh : .more,
            subject: [nil, "ada", "bob"].randomElement(using: &generator) ?? nil)
        request.trigger = Bool.random(using: &generator) ? .manual : .refreshControl
        return request
    }

    /// Answers a random running call. The call may be abandoned. The page's cursor identifies its
    /// request.
    private func answerOne(
        _ harness: inout BrokerHarness, _ generator: inout SeededGenerator
    ) -> [BrokerHarness.Machine.Effect] {
        let ids = harness.running.keys.sorted { $0.number < $1.number }
        guard let id = ids.randomElement(using: &generator), let order = harness.running[id] else {
            return []
        }
        guard Int.random(in: 0..<5, using: &generator) > 1 else {
            let codes: [FaultCode] = [
                .backendFailed, .backendUnavailable, .backendRejected, .backendBusy,
            ]
            let code = codes.randomElement(using: &generator) ?? .backendFailed
            let after = [nil, 5, 60].randomElement(using: &generator) ?? nil
            if harness.edits[id] != nil {
                let failure = LoadFailure(code, "no", retryAfterMs: after)
                return harness.send(.edited(id, .failure(failure)))
            }
            return harness.send(.failed(id.number, code, retryAfterMs: after))
        }
        if harness.edits[id] != nil { return harness.send(.edited(id, .success(nil))) }
        var page = Page.of(Int.random(in: 0...3, using: &generator))
        page.cursor = Page.mark(of: order.request)
        page.lifetimeMs = [nil, nil, 0, 10].randomElement(using: &generator) ?? nil
        return harness.send(.answered(id, .success(page)))
    }

    private func check(_ harness: BrokerHarness, _ started: Set<Int>, _ seen: inout Seen) {
        let counters = harness.machine.counters
        let tallies = counters.feeds.values
        let isRight =
            Set(harness.outcomes.keys).union(harness.lookUps.keys)
            .union(harness.performed.keys).union(harness.unknown.keys) == started
            && harness.waiting.isEmpty
            && harness.machine.isEmpty
            && harness.machine.nextDeadline == nil
            && harness.asks.isEmpty
            && tallies.allSatisfy { $0.ended.values.reduce(0, +) == $0.started }
            && tallies.allSatisfy { $0.asks.ended.values.reduce(0, +) == $0.asks.started }
        if !isRight {
            Issue.record("seed \(harness.seed): \(harness.outcomes) of \(started), \(counters)")
        }
        seen.add(harness.seen)
        seen.add("late", counters.lateAnswers)
        seen.add("performed", harness.performed.count)
        seen.add("unknown", harness.unknown.count)
        seen.add("lateOwnerEvents", counters.lateOwnerEvents)
        for tally in tallies {
            seen.add("joined", tally.joined)
            seen.add("fresh", tally.hits.fresh)
            seen.add("stale", tally.hits.stale)
            seen.add("failure", tally.hits.failure)
            seen.add("coolDown", tally.hits.coolDown)
            seen.add("revalidations", tally.revalidations)
            seen.add("remote", tally.remote)
            for (result, count) in tally.asks.ended {
                seen.add("asks that end as \(result)", count)
            }
        }
        for tally in counters.backends.values {
            seen.add("retriesRefused", tally.retriesRefused)
            seen.add("timesOpened", tally.timesOpened)
            // Only the first opening cannot follow a failed probe.
            seen.add("halfOpen", max(0, tally.timesOpened - 1))
        }
        for outcome in harness.outcomes.values {
            switch outcome {
            case .page: seen.add("page")
            case .failed(let failure): seen.add(failure.code.rawValue)
            case .cancelled: seen.add("cancelled")
            case .timedOut: seen.add("timedOut")
            }
        }
    }
}
