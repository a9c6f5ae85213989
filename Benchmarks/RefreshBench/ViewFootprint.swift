import AllocationCounter
import RefreshBroker
import RefreshProtocol
import RefreshServer
import RefreshSession

/// What one attached view of two edges takes of the heap, with everything it owns.
enum ViewFootprint {
    private static let views = 32

    /// Bytes a view: the growth by 32 of them in one session, which has room for them and no more.
    static func measure() -> Double {
        // What is made once and stays, or goes, is no view's.
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
        // What was said is older than `before`, and must not go before the end.
        return withExtendedLifetime(frames) {
            Double(allocated_bytes() - before) / Double(views)
        }
    }
}
