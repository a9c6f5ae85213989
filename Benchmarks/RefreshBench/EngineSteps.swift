import RefreshEngine
import RefreshProtocol

/// Passes `count` samples with the phase `dragging` to an engine, and does nothing else. Each
/// sample changes the progress. Callgrind counts the instructions.
enum EngineSteps {
    /// - Throws: `BenchmarkError` if a sample did not change the progress.
    static func run(_ profile: Profile, count: Int) throws {
        var engine = Engine(
            generation: 1,
            options: ViewOptions(
                profile: profile, paging: Profile.paging, isClientBacked: true,
                limits: Limits()),
            geometry: .phone, offset: nil)
        let samples = Pull.offsets(to: engine.options.refresh).map {
            ScrollSample(offset: $0, phase: .dragging)
        }
        var effects: [Effect] = []
        effects.reserveCapacity(16)
        var shown = 0
        for item in 0..<count {
            let now = Instant(microseconds: Int64(item) * Pull.interval)
            while !effects.isEmpty { effects.removeLast() }
            engine.handle(.scrolled(samples[item % samples.count]), at: now, into: &effects)
            if case .showEdge(.refresh, .pulling, _, _, _)? = effects.first { shown += 1 }
        }
        guard shown == count else {
            throw BenchmarkError.unexpected("\(profile) showed \(shown) changes of \(count)")
        }
    }
}

extension GeometryChange {
    /// The screen of a phone with a long list.
    static var phone: GeometryChange {
        var change = GeometryChange()
        change.viewport = SizeChange(width: 390, height: 800)
        change.content = SizeChange(width: 390, height: 4000)
        return change
    }
}
