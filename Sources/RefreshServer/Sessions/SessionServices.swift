package import RefreshProtocol

/// What the sessions of one loop share. Touched by that loop's thread alone.
package final class SessionServices {
    package let limits: Limits
    package let feeds: [FeedDescription]
    package let loads: any LoadDispatching
    package let metrics: LoopMetrics

    /// Where the frame at hand is read and its answer written.
    let desk: Owned<Desk>

    package init(
        limits: Limits, feeds: [FeedDescription], loads: any LoadDispatching,
        metrics: LoopMetrics
    ) {
        self.limits = limits
        self.feeds = feeds
        self.loads = loads
        self.metrics = metrics
        self.desk = Owned(Desk(limits: limits))
    }

    /// The same for one session alone, which reaches the broker by way of `loads` and has a desk to itself.
    func ofOneSession(loads: any LoadDispatching) -> SessionServices {
        SessionServices(limits: limits, feeds: feeds, loads: loads, metrics: metrics)
    }

    func feed(named name: String) -> FeedDescription? {
        feeds.first { $0.name == name }
    }
}
