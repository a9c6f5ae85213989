import AllocationCounter
import RefreshBroker
import RefreshProtocol
import RefreshServer
import RefreshSession

/// The heap memory of one attached view with two edges, including everything that it owns.
enum ViewFootprint {
    private static let views = 32

    /// Returns the bytes per view. It attaches 32 views to one session, which may have exactly this
    /// many views.
    static func measure() -> Double {
        // The first call also allocates memory that a process allocates only once, so its result is
        // dropped.
        _ = growth()
        return growth()
    }

    /// Returns the bytes for each key of a view whose client uses patches, if its list of 2,000
    /// items came in pages of this size. The keys and hashes are in no page that another view
    /// shares.
    static func measureKeys(pageSize: Int) throws -> Double {
        let few = try growth(items: 200, pageSize: 200)
        return try (growth(items: 2000, pageSize: pageSize) - few) / 1800
    }

    private static func growth(items: Int, pageSize: Int) throws -> Double {
        let first = Viewer(usesPatches: true)
        let viewers = (0..<views).map { _ in Viewer(beside: first) }
        // The loop keeps the memory of its largest frame, and its last pages.
        for number in 0..<20 {
            try first.refresh(
                with: PatchBenchmark.page(version: 0, items: items, firstID: 10_000 * number))
        }
        let before = allocated_bytes()
        for (number, viewer) in viewers.enumerated() {
            for start in stride(from: 0, to: items, by: pageSize) {
                let page = PatchBenchmark.page(
                    version: 0, items: pageSize, firstID: 100_000 + number * 10_000 + start)
                if start == 0 { try viewer.refresh(with: page) } else { try viewer.loadMore(page) }
            }
        }
        return withExtendedLifetime(viewers) {
            Double(allocated_bytes() - before) / Double(views)
        }
    }

    private static func growth() -> Double {
        let channel = CountingChannel()
        let services = SessionServices(
            limits: Limits(), feeds: [], loads: NoLoads(), metrics: SessionMetrics(feeds: []))
        let session = Session(
            key: SessionKey(loop: 0, slot: 0, generation: 0), name: "bench", channel: channel,
            services: services, now: .origin)
        session.receive(Array(#"{"type":"hello","protocol":1}"#.utf8).span, at: .origin)
        let frames = (1...views).map { number in
            Array(
                #"{"type":"attach","seq":\#(number),"view":"list \#(number)","profile":"default","geometry":{"viewport":{"width":390,"height":800},"content":{"width":390,"height":4000}}}"#
                    .utf8)
        }
        let before = allocated_bytes()
        for frame in frames { session.receive(frame.span, at: .origin) }
        // The memory of `frames` is included in `before`. It must not be freed before the second
        // measurement.
        return withExtendedLifetime(frames) {
            Double(allocated_bytes() - before) / Double(views)
        }
    }
}
