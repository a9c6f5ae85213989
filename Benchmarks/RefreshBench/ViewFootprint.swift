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
