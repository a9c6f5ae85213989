package import RefreshProtocol

/// What the sessions of one loop share. Touched by that loop's thread alone.
package final class SessionServices {
    /// What another configuration replaces, all at once.
    private struct Settings {
        var limits: Limits
        var feeds: [FeedDescription]
        var indicators: IndicatorCatalogue
        /// Feeds that have gone, for the views which are attached to them.
        var formerFeeds: [FeedDescription] = []
    }

    // Each message looks at it.
    private let settings: Owned<Settings>
    package let loads: any LoadDispatching
    package let metrics: LoopMetrics
    /// Nil: no sealed snapshots are given or taken.
    package let seal: (any SnapshotSealing)?

    /// Who finds the sessions that clients come back to; nil: nobody does.
    package weak var reception: (any Reception)?

    /// What an operator is to know of sessions.
    package var log = DaemonLog.silent
    private var stallWarnedAt: Instant?

    /// Between two warnings of cursors that do not advance, milliseconds.
    private static let stallWarningMs = 60_000.0

    /// Takes up that `session` has taken so many bytes more, about, on the loop's thread, which may
    /// be within the session; nil: nothing has to know.
    var growth: ((_ bytes: Int, _ session: SessionKey, _ now: Instant) -> Void)?

    /// What `welcome` says of the daemon; a replay says what was recorded.
    package var version = DaemonVersion.current

    /// Where the frame at hand is read and its answer written.
    let desk: SharedDesk
    /// The same for sessions that are recorded. They keep what they were opened with, and so does
    /// their desk: another configuration brings another.
    private var recordedDesk: SharedDesk?

    package convenience init(
        limits: Limits, feeds: [FeedDescription],
        indicators: IndicatorCatalogue = IndicatorCatalogue(), loads: any LoadDispatching,
        metrics: LoopMetrics, seal: (any SnapshotSealing)? = nil
    ) {
        self.init(
            Settings(limits: limits, feeds: feeds, indicators: indicators), loads: loads,
            metrics: metrics, seal: seal, desk: SharedDesk(limits: limits))
    }

    private init(
        _ settings: Settings, loads: any LoadDispatching, metrics: LoopMetrics,
        seal: (any SnapshotSealing)?, desk: SharedDesk
    ) {
        self.settings = Owned(settings)
        self.loads = loads
        self.metrics = metrics
        self.seal = seal
        self.desk = desk
    }

    package var limits: Limits {
        @inline(__always) _read { yield settings.value.limits }
    }

    package var feeds: [FeedDescription] { settings.value.feeds }

    package var indicators: IndicatorCatalogue { settings.value.indicators }

    /// The same for one session that is recorded and reaches all others by way of `recorder`: what
    /// it says is a function of what it was opened with, so no other configuration reaches it.
    func recorded(by recorder: SessionRecorder) -> SessionServices {
        let desk = recordedDesk ?? SharedDesk(limits: limits)
        recordedDesk = desk
        let services = SessionServices(
            settings.value, loads: recorder, metrics: metrics, seal: seal.map { _ in recorder },
            desk: desk)
        services.reception = recorder
        services.log = log
        services.growth = growth
        return services
    }

    /// A list has ended because its cursor does not advance. Whether it is time to tell the
    /// operator.
    func isStallWarningDue(at now: Instant) -> Bool {
        if let last = stallWarnedAt, now.milliseconds(since: last) < Self.stallWarningMs {
            return false
        }
        stallWarnedAt = now
        return true
    }

    /// From the next frame on these hold. Between two frames only.
    package func adopt(
        limits: Limits, feeds: [FeedDescription], indicators: IndicatorCatalogue
    ) {
        let names = Set(feeds.map(\.name))
        let former = (settings.value.feeds + settings.value.formerFeeds).filter {
            !names.contains($0.name)
        }
        recordedDesk = nil
        desk.place.value = Desk(limits: limits)
        settings.value = Settings(
            limits: limits, feeds: feeds, indicators: indicators, formerFeeds: former)
    }

    /// A feed that views may be attached to.
    func feed(named name: String) -> FeedDescription? {
        settings.value.feeds.first { $0.name.hasBytes(of: name) }
    }

    /// The feed of a view: it may have gone since the view was attached.
    func feed(ofView name: String) -> FeedDescription? {
        feed(named: name) ?? settings.value.formerFeeds.first { $0.name.hasBytes(of: name) }
    }
}
