import Foundation
import Glibc
import Synchronization
import Testing
import Workbench

/// A daemon is killed at any moment of a refresh and a load more, and restarted. The client must
/// end in the same state as in an undisturbed run.
@Suite("Killed and restarted daemons", .ownThread, .serialized, .limit)
struct KillTests {
    /// The number of runs. They cover each moment with and without item keys, and each moment with
    /// no delay, a short delay and a long delay of the kill.
    private static let kills = depth(102, whole: 204)
    /// The number of daemons that run at a time. There are several, because a run mostly waits.
    private static let width = 8

    private static func plans(seed: UInt64) -> [KillRun.Plan] {
        var random = KillRandom(seed: seed)
        return (0..<kills).map { index in
            let moment = KillMoment.allCases[index % KillMoment.allCases.count]
            // The delay of the kill is zero, up to 5 ms, or up to 60 ms. A call of the backend
            // takes 20 ms, and the result of a refresh is displayed for 60 ms.
            let most: UInt64 = index % 3 == 0 ? 1 : index % 3 == 1 ? 5000 : 60_000
            return KillRun.Plan(
                seed: seed &* 1000 &+ UInt64(index), moment: moment,
                microseconds: UInt32(random.next() % most),
                // Half of the runs of each moment have item keys.
                hasItemKey: index / KillMoment.allCases.count % 2 == 0)
        }
    }

    /// Returns a port outside the range from which the system assigns ports to connections. So no
    /// other process gets this port while the daemon restarts.
    private static func port(_ index: Int) -> UInt16 {
        UInt16(20_000 + (Int(getpid()) * 16 + index) % 10_000)
    }

    @Test("After a kill at any moment, the run ends like an undisturbed one, with the same items")
    func kills() throws {
        let backend = try CountingBackend()
        let undisturbed = try KillRun(
            KillRun.Plan(seed: 0, moment: nil, microseconds: 0, hasItemKey: false),
            backend: backend, port: Self.port(0)
        ).run()
        let end = undisturbed.seen
        try #require(
            undisturbed.stuck == nil, "the run without a kill does not end: \(undisturbed)")
        #expect(end.items == Array(1...2 * CountingBackend.pageSize))
        #expect(end.count == end.items.count)
        #expect(undisturbed.calls.map(\.page) == [1, 2])

        let seed = UInt64(ProcessInfo.processInfo.environment["KILL_SEED"] ?? "") ?? 7
        print("kills: seed \(seed)")
        let plans = Self.plans(seed: seed)
        let outcomes = Mutex<[(KillRun.Plan, KillRun.Outcome)]>([])
        let next = Mutex(0)
        let group = DispatchGroup()
        for lane in 0..<Self.width {
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                while true {
                    let index = next.withLock { value in
                        defer { value += 1 }
                        return value
                    }
                    guard index < plans.count else { return }
                    do {
                        let run = try KillRun(
                            plans[index], backend: backend, port: Self.port(1 + lane))
                        let outcome = try run.run()
                        outcomes.withLock { $0.append((plans[index], outcome)) }
                    } catch {
                        Issue.record("\(plans[index]): \(error)")
                    }
                }
            }
        }
        group.wait()
        let all = outcomes.withLock { $0 }
        #expect(all.count == Self.kills)
        for (plan, outcome) in all { Self.check(outcome, of: plan, against: end) }
        let resumed = all.count { $0.1.returns == ["resumed"] }
        print("kills: \(all.count), of which \(resumed) sessions came back")
        #expect(resumed > Self.kills / 2)
        let bare = all.count { !$0.0.hasItemKey && $0.1.returns == ["resumed"] }
        print("kills: \(bare) of those that came back without keys that tell duplicates")
        #expect(bare > Self.kills / 5)
        let exact = all.filter { $0.0.moment == $0.1.killedAt }.compactMap(\.1.killedAt)
        print("kills: \(exact.count) at the very moment")
        for moment in Set(KillMoment.allCases).subtracting(exact).sorted() {
            try hit(moment, backend: backend, end: end)
        }
    }

    @Test(
        "If the restarted daemon is killed in the repeated load, the run ends like an undisturbed one",
        arguments: [KillMoment.refreshBegan, .refreshCalled, .moreBegan, .moreCalled],
        KillAgain.allCases)
    func again(_ moment: KillMoment, _ again: KillAgain) throws {
        let backend = try CountingBackend()
        let undisturbed = try KillRun(
            KillRun.Plan(seed: 0, moment: nil, microseconds: 0, hasItemKey: false),
            backend: backend, port: Self.port(9)
        ).run()
        // On a slow machine, the load may end before the kill. So the run is repeated.
        for number in 0..<40 {
            let plan = KillRun.Plan(
                seed: 2_000_000 + UInt64(number), moment: moment, microseconds: 0,
                hasItemKey: number % 2 == 0, again: again)
            let outcome = try KillRun(plan, backend: backend, port: Self.port(9)).run()
            Self.check(outcome, of: plan, against: undisturbed.seen)
            if outcome.isKilledAgain, outcome.killedAt == moment { return }
        }
        Issue.record("the daemon was not killed again during the load")
    }

    /// Repeats the run until the daemon is killed at this moment. On a slow machine, a run may miss
    /// the moment, and the daemon is then killed at the next one.
    private func hit(_ moment: KillMoment, backend: CountingBackend, end: ThinClient.Seen) throws {
        for number in 0..<40 {
            let plan = KillRun.Plan(
                seed: 1_000_000 + UInt64(number), moment: moment, microseconds: 0,
                hasItemKey: true)
            let outcome = try KillRun(plan, backend: backend, port: Self.port(0)).run()
            Self.check(outcome, of: plan, against: end)
            if outcome.killedAt == moment { return }
        }
        Issue.record("no run was killed at the moment \(moment)")
    }

    private static func check(
        _ outcome: KillRun.Outcome, of plan: KillRun.Plan, against end: ThinClient.Seen
    ) {
        let name: Comment = "\(plan): \(outcome)"
        #expect(outcome.stuck == nil, name)
        #expect(outcome.killedAt.map { $0 >= plan.moment ?? .greeted } == true, name)
        #expect(outcome.seen == end, name)
        #expect(Set(outcome.seen.items).count == outcome.seen.items.count, name)
        #expect(outcome.errors.isEmpty, name)
        // Before its first load, a session has no snapshot and nothing to lose.
        let first = outcome.hadSnapshot ? "resumed" : "unknownSession"
        #expect(outcome.returns == [first] + (outcome.isKilledAgain ? ["resumed"] : []), name)
        if let moment = plan.moment, moment >= .refreshed { #expect(outcome.hadSnapshot, name) }
        // Each load has one idempotency key, even if the daemon calls the backend twice for it.
        let pages = Dictionary(grouping: outcome.calls, by: \.key).mapValues { Set($0.map(\.page)) }
        #expect(pages.values.allSatisfy { $0.count == 1 }, name)
        if outcome.hadSnapshot { #expect(pages.values.flatMap(\.self).sorted() == [1, 2], name) }
        #expect(outcome.calls.count <= (outcome.isKilledAgain ? 4 : 3), name)
    }
}

/// A random generator that gives the same numbers for the same seed on every platform.
private struct KillRandom {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits &>> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits &>> 31)
    }
}
