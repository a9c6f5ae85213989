import RefreshEngine
import RefreshProtocol

/// Measures the engine alone. For each sample with the phase `dragging`, the engine returns the new
/// progress of the edge.
struct EngineBenchmark {
    static func run() throws -> Measurement {
        var engine = Engine(
            generation: 1,
            options: ViewOptions(
                profile: .iqpulltorefresh, paging: Profile.paging, isClientBacked: true,
                limits: Limits()),
            geometry: .phone, offset: nil)
        let samples = Pull.offsets.map { ScrollSample(offset: $0, phase: .dragging) }
        var effects: [Effect] = []
        effects.reserveCapacity(16)
        var shown = 0
        let measurement = Measurement(warmup: 10_000, count: 1_000_000, rounds: 5) { item in
            let now = Instant(microseconds: Int64(item) * Pull.interval)
            effects.removeAll(keepingCapacity: true)
            engine.handle(.scrolled(samples[item % samples.count]), at: now, into: &effects)
            for case .showEdge(.refresh, _, _, _, _) in effects { shown += 1 }
        }
        guard shown == 10_000 + 5 * 1_000_000 else {
            throw BenchmarkError.unexpected("the engine showed \(shown) changes")
        }
        return measurement
    }
}
