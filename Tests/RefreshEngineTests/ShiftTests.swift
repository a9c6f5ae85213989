import RefreshEngine
import RefreshProtocol
import Testing

/// Tests that an engine behaves in the same way after its instants are moved to another clock.
@Suite("Clock shift")
struct ShiftTests {
    /// The number of events that both engines receive.
    private static let length = 40

    @Test(
        "If an engine is shifted by d, all its later effects and deadlines are shifted by d",
        arguments: Profile.allCases)
    func behavesAlike(profile: Profile) throws {
        var (states, effectCount) = (0, 0)
        for seed in UInt64(1)...8 {
            var events = RandomEvents(seed: seed, profile: profile)
            let session = Session(&events, seed: seed, count: 160)
            var random = SeededGenerator(seed: seed &* 0x9E37)
            var engine = session.start.engine
            var effects: [Effect] = []
            for (index, step) in session.steps.enumerated() {
                engine.handle(step.event, at: step.at, into: &effects)
                guard random.chance(50) else { continue }
                let rest = session.steps[(index + 1)...].prefix(Self.length)
                let shift = Self.shift(after: step.at, &random)
                effectCount += try Self.compare(
                    engine, rest, shift: shift, "\(profile), seed \(seed), \(index), by \(shift)")
                states += 1
            }
        }
        print("shifted: \(states) states of \(profile), \(effectCount) effects")
        #expect(effectCount > states)
    }

    /// Returns a random shift in microseconds. A shift back goes at most to the clock's origin. A
    /// shift ahead is either at most an hour or at most two years.
    private static func shift(after now: Instant, _ random: inout SeededGenerator) -> Int64 {
        switch random.below(4) {
        case 0: -now.microseconds
        case 1: -Int64(random.below(Int(now.microseconds) + 1))
        case 2: Int64(random.below(3_600_000_000))
        default: Int64(random.below(63_072_000)) * 1_000_000
        }
    }

    /// Compares the effects of both engines. Returns the number of equal effects.
    private static func compare(
        _ original: Engine, _ steps: ArraySlice<Session.Step>, shift: Int64, _ name: String
    ) throws -> Int {
        var (engine, copy) = (original, original)
        copy.shift(byMicroseconds: shift)
        var (effects, others): ([Effect], [Effect]) = ([], [])
        var count = 0
        for (index, step) in steps.enumerated() {
            try #require(
                copy.nextDeadline == engine.nextDeadline?.later(by: shift), "\(name), \(index)")
            try #require(
                copy.refresh.lastUpdated == engine.refresh.lastUpdated?.later(by: shift),
                "\(name), \(index)")
            effects.removeAll(keepingCapacity: true)
            others.removeAll(keepingCapacity: true)
            engine.handle(step.event, at: step.at, into: &effects)
            copy.handle(step.event, at: step.at.later(by: shift), into: &others)
            try #require(
                others == effects.map { $0.later(by: shift) }, "\(name), \(index): \(step.event)")
            count += effects.count
        }
        return count
    }

    @Test("After a shift and its inverse the engine is the same, at every event of a session")
    func thereAndBack() throws {
        for profile in Profile.allCases {
            var events = RandomEvents(seed: 3, profile: profile)
            let session = Session(&events, seed: 3, count: 200)
            var engine = session.start.engine
            var effects: [Effect] = []
            for step in session.steps {
                engine.handle(step.event, at: step.at, into: &effects)
                var copy = engine
                copy.shift(byMicroseconds: 86_400_000_001)
                copy.shift(byMicroseconds: -86_400_000_001)
                try #require(copy == engine, "\(profile): \(step.event)")
            }
        }
    }

    @Test("The instant `never` stays `never` on any clock, and no shift causes a trap")
    func bounds() {
        let options = ViewOptions.uikit()
        let start = Engine(generation: 1, options: options, geometry: .sizes(), offset: nil)
        for shift in [Int64.min, -1, 1, .max] {
            var engine = start
            engine.shift(byMicroseconds: shift)
            #expect(engine.nextDeadline == nil)
            #expect(engine.refresh.lastUpdated == nil)
            engine.shift(byMicroseconds: shift)
            #expect(engine.nextDeadline == nil)
        }
    }
}

extension Instant {
    fileprivate func later(by microseconds: Int64) -> Instant {
        self == .never ? self : Instant(microseconds: self.microseconds + microseconds)
    }
}

extension Effect {
    fileprivate func later(by shift: Int64) -> Effect {
        switch self {
        case .setInset(let command):
            return .setInset(
                InsetCommand(
                    refresh: command.refresh, loadMore: command.loadMore,
                    timeline: command.timeline.later(by: shift)))
        case .moveContent(let command):
            switch command.movement {
            case .glide(let target, let timeline):
                return .moveContent(
                    OffsetCommand(target: target, timeline: timeline.later(by: shift)))
            case .flight(let flight):
                return .moveContent(
                    OffsetCommand(flight.starting(at: flight.start.later(by: shift))))
            }
        case .showEdge, .showFloor, .showList, .showNewer, .showNewerCount, .showAway,
            .showRevealed, .play, .announce, .startLoad, .endLoad, .endPage, .showOperations,
            .repeatLoad, .joinRefresh, .reportLateAnswer, .reportStall, .refuse, .ignore:
            return self
        }
    }
}

extension Timeline {
    fileprivate func later(by shift: Int64) -> Timeline {
        Timeline(start: start.later(by: shift), duration: duration, curve: curve)
    }
}
