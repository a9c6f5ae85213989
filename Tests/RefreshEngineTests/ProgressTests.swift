import RefreshEngine
import RefreshProtocol
import Testing

/// Tests that the progress never decreases as the list moves farther beyond an edge.
@Suite("Progress")
struct ProgressTests {
    @Test(
        "A finger that pulls outwards slowly never lowers the reported progress, at either edge",
        arguments: Profile.allCases)
    func monotone(profile: Profile) {
        for seed in UInt64(1)...150 {
            for role in EdgeRole.allCases {
                pull(role, profile, seed: seed)
            }
        }
    }

    private func pull(_ role: EdgeRole, _ profile: Profile, seed: UInt64) {
        var events = RandomEvents(seed: seed, profile: profile, isExtreme: seed % 5 == 0)
        var start = events.start()
        start.options.isClientBacked = true
        var engine = start.engine
        let outwards = role == .refresh ? -1.0 : 1.0
        let edge = role == .refresh ? engine.geometry.restingOffset : engine.geometry.endOffset
        // Starts 400 points before the end, because some options begin the zone far before the end.
        var place = role == .refresh ? edge : edge - 400
        var effects: [Effect] = []
        var progress = 0.0
        var random = SeededGenerator(seed: seed)
        var now = Instant(milliseconds: 1)
        for step in 0..<120 {
            place += outwards * random.sixteenths(from: 0, to: 8)
            now = now.advanced(byMilliseconds: 16.0)
            effects.removeAll(keepingCapacity: true)
            engine.handle(
                .scrolled(
                    ScrollSample(
                        offset: engine.geometry.mirrored(place),
                        phase: step == 0 ? .began : .dragging)),
                at: now, into: &effects)
            for case .showEdge(role, let state, let reported, _, _) in effects {
                guard state.isUnderWay else { return }
                #expect(
                    reported >= progress,
                    "seed \(seed), \(role), \(place): \(reported) after \(progress)")
                progress = reported
            }
        }
    }

    @Test("The progress is 0 where it begins, then less than 1, and 1 at the threshold")
    func ends() {
        for profile in Profile.allCases {
            let options = profile.refresh
            var engine = Engine(
                generation: 1,
                options: ViewOptions(
                    profile: profile, paging: Profile.paging, isClientBacked: true,
                    limits: Limits()), geometry: .sizes(), offset: 0)
            var effects: [Effect] = []
            engine.handle(
                .scrolled(ScrollSample(offset: -options.start, phase: .began)), at: .origin,
                into: &effects)
            #expect(engine.refresh.phase == .idle, "\(profile)")
            engine.handle(
                .scrolled(ScrollSample(offset: (-options.length).nextUp, phase: .dragging)),
                at: .origin, into: &effects)
            #expect(
                engine.refresh.phase.state == .pulling && engine.refresh.phase.progress < 1,
                "\(profile)")
            #expect(engine.refresh.phase.progress > 0.999, "\(profile)")
            effects.removeAll()
            engine.handle(
                .scrolled(ScrollSample(offset: -options.length, phase: .dragging)), at: .origin,
                into: &effects)
            let isPassed = options.isStrict ? engine.refresh.phase.progress == 1 : effects.count > 1
            #expect(isPassed, "\(profile): \(effects)")
        }
    }
}

extension EdgeState {
    /// Whether the state has a progress.
    fileprivate var isUnderWay: Bool {
        switch self {
        case .pulling, .approaching, .eligible: true
        default: false
        }
    }
}
