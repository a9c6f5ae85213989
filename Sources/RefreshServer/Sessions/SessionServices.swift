import RefreshEngine
package import RefreshProtocol

/// What the sessions of one loop share. Touched by that loop's thread alone.
package final class SessionServices {
    package let limits: Limits
    package let feeds: [FeedDescription]
    package let loads: any LoadDispatching
    package let metrics: LoopMetrics

    /// Bytes that a connection wants free before those it sends.
    static let frameHeadroom = 64

    var decoder: MessageDecoder
    /// The frame being written.
    var frame = ByteBuffer(headroom: SessionServices.frameHeadroom, capacity: 4096)
    /// The effects of the event being handled.
    var effects: [Effect] = []

    package init(
        limits: Limits, feeds: [FeedDescription], loads: any LoadDispatching,
        metrics: LoopMetrics
    ) {
        self.limits = limits
        self.feeds = feeds
        self.loads = loads
        self.metrics = metrics
        self.decoder = MessageDecoder(limits: limits)
        effects.reserveCapacity(16)
    }

    func feed(named name: String) -> FeedDescription? {
        feeds.first { $0.name == name }
    }
}
