package import RefreshProtocol

/// What the sessions of one loop share. Touched by that loop's thread alone.
package final class SessionServices {
    package let limits: Limits
    package let feeds: [FeedDescription]
    package let loads: any LoadDispatching
    package let metrics: LoopMetrics
    package let indicators: IndicatorCatalogue
    /// Nil: no sealed snapshots are given or taken.
    package let seal: (any SnapshotSealing)?

    /// Who finds the sessions that clients come back to; nil: nobody does.
    package weak var reception: (any Reception)?

    /// Where the frame at hand is read and its answer written.
    let desk: SharedDesk

    package convenience init(
        limits: Limits, feeds: [FeedDescription],
        indicators: IndicatorCatalogue = IndicatorCatalogue(), loads: any LoadDispatching,
        metrics: LoopMetrics, seal: (any SnapshotSealing)? = nil
    ) {
        self.init(
            limits: limits, feeds: feeds, indicators: indicators, loads: loads, metrics: metrics,
            seal: seal, desk: SharedDesk(limits: limits))
    }

    private init(
        limits: Limits, feeds: [FeedDescription], indicators: IndicatorCatalogue,
        loads: any LoadDispatching, metrics: LoopMetrics, seal: (any SnapshotSealing)?,
        desk: SharedDesk
    ) {
        self.limits = limits
        self.feeds = feeds
        self.indicators = indicators
        self.loads = loads
        self.metrics = metrics
        self.seal = seal
        self.desk = desk
    }

    /// The same for one session that reaches all others by way of `recorder`.
    func recorded(by recorder: SessionRecorder) -> SessionServices {
        let services = SessionServices(
            limits: limits, feeds: feeds, indicators: indicators, loads: recorder,
            metrics: metrics, seal: seal.map { _ in recorder }, desk: desk)
        services.reception = recorder
        return services
    }

    func feed(named name: String) -> FeedDescription? {
        feeds.first { $0.name.hasBytes(of: name) }
    }
}
