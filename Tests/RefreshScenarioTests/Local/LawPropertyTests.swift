import Foundation
import RefreshServer
import Testing

@testable import RefreshScenario

@Suite("The control law")
struct LawPropertyTests {
    private static let gestures = 4

    /// `LAW_SEED` names one seed, whose session is printed; `LAW_GESTURES` says how many gestures there are.
    private static let environment = ProcessInfo.processInfo.environment

    @Test("A local client shows what a stream client shows, and all ends the same")
    func agreement() {
        if let seed = Self.environment["LAW_SEED"].flatMap(UInt64.init) { return Self.show(seed) }
        let count = Self.environment["LAW_GESTURES"].flatMap(Int.init) ?? 10_000
        let first = Self.environment["LAW_FIRST"].flatMap(UInt64.init)
            ?? UInt64.random(in: 0..<(1 << 40))
        print("law: first seed \(first), \(count) gestures")
        var tally = LawTally()
        for number in 0..<(count / Self.gestures) {
            tally.add(Self.run(first + UInt64(number)))
        }
        print("law: \(tally.summary)")
        for difference in tally.differences.prefix(30) { print(difference) }
        #expect(tally.differences.isEmpty)
        #expect(tally.mispredictions == 0)
    }

    private static func run(_ seed: UInt64, keepsWire: Bool = false) -> LawRehearsal {
        let rehearsal = LawRehearsal(seed: seed, keepsWire: keepsWire)
        for _ in 0..<gestures where rehearsal.difference == nil { rehearsal.gesture() }
        if rehearsal.difference == nil { rehearsal.end() }
        return rehearsal
    }

    private static func show(_ seed: UInt64) {
        let rehearsal = run(seed, keepsWire: true)
        print(RefreshProtocolText.text(of: rehearsal.attach))
        print("--- stream")
        for line in rehearsal.stream.wire { print(line) }
        print("--- local")
        for line in rehearsal.local.wire { print(line) }
        print(rehearsal.difference ?? "no difference")
        print("mispredicted: \(rehearsal.local.metrics.snapshot.mispredictions)")
    }
}
