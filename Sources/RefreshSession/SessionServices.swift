package import RefreshBroker
package import RefreshProtocol

/// The objects and settings that the sessions of one loop share. Only that loop's thread uses them.
package final class SessionServices {
    /// The settings that a reload of the configuration replaces together.
    private struct Settings {
        var limits: Limits
        var feeds: [FeedDescription]
        var indicators: IndicatorCatalogue
        /// Feeds that are no longer configured. Views that were attached before the reload may
        /// still use them.
        var formerFeeds: [FeedDescription] = []
    }

    // Every message reads the settings. The box avoids the check that the run time makes at each
    // access to a property of a class.
    private let settings: UnsafeBox<Settings>
    package let loads: any LoadDispatching
    package let metrics: SessionMetrics
    /// Seals snapshots; nil if they are neither sent nor accepted.
    package let seal: (any SnapshotSealing)?

    /// Finds the sessions that clients resume; nil if sessions cannot be resumed.
    package weak var sessionLocator: (any SessionLocator)?

    /// Called when a list of `feed` has ended because its cursor does not advance, so that the
    /// operator is warned.
    package var onStalledCursor: ((_ feed: String, _ session: String) -> Void)?
    private var stallWarnedAt: Instant?

    /// The shortest time between two warnings about cursors that do not advance, in milliseconds.
    private static let stallWarningMs = 60_000.0

    /// Called when `session` has grown by about `bytes` bytes; nil if growth is not observed. It is
    /// called on the loop's thread, possibly within a call to the session.
    package var onGrowth: ((_ bytes: Int, _ session: SessionKey, _ now: Instant) -> Void)?

    /// Hashes the keys and items of edits, as the broker hashes those of pages. A replay has
    /// another function: no output depends on these hashes, because the outcome of an edit states
    /// them.
    package var itemHash = SipHash(key: 0, 0)

    /// The version of the daemon in `welcome`. A replay uses the recorded version.
    package var version = DaemonVersion.current

    /// The decoder of the current frame, and the output buffer for its answer.
    let scratch: SharedFrameScratch
    /// The decoder and output buffer for recorded sessions. A recorded session keeps the limits
    /// with which it was opened. After a reload of the configuration, later sessions therefore get
    /// another decoder and buffer.
    private var recordedScratch: SharedFrameScratch?
    /// The newest patches. They determine no output, so recorded sessions use them too.
    let patches: PatchCache
    /// The newest operations on lists. They determine no output either.
    let operations: OperationCache

    package convenience init(
        limits: Limits, feeds: [FeedDescription],
        indicators: IndicatorCatalogue = IndicatorCatalogue(), loads: any LoadDispatching,
        metrics: SessionMetrics, seal: (any SnapshotSealing)? = nil
    ) {
        self.init(
            Settings(limits: limits, feeds: feeds, indicators: indicators), loads: loads,
            metrics: metrics, seal: seal, scratch: SharedFrameScratch(limits: limits),
            patches: PatchCache(), operations: OperationCache())
    }

    private init(
        _ settings: Settings, loads: any LoadDispatching, metrics: SessionMetrics,
        seal: (any SnapshotSealing)?, scratch: SharedFrameScratch, patches: PatchCache,
        operations: OperationCache
    ) {
        self.settings = UnsafeBox(settings)
        self.loads = loads
        self.metrics = metrics
        self.seal = seal
        self.scratch = scratch
        self.patches = patches
        self.operations = operations
    }

    package var limits: Limits {
        @inline(__always) _read { yield settings.value.limits }
    }

    package var feeds: [FeedDescription] { settings.value.feeds }

    package var indicators: IndicatorCatalogue { settings.value.indicators }

    /// Returns the services for one recorded session. The session uses the load dispatcher, the
    /// seal and the session locator through `recorder`. No reload affects the session, because its
    /// output must depend only on its journal.
    func recorded(by recorder: SessionRecorder) -> SessionServices {
        let scratch = recordedScratch ?? SharedFrameScratch(limits: limits)
        recordedScratch = scratch
        let services = SessionServices(
            settings.value, loads: recorder, metrics: metrics, seal: seal.map { _ in recorder },
            scratch: scratch, patches: patches, operations: operations)
        services.sessionLocator = recorder
        services.itemHash = itemHash
        services.onStalledCursor = onStalledCursor
        services.onGrowth = onGrowth
        return services
    }

    /// Records that a list has ended because its cursor does not advance. Returns whether a warning
    /// to the operator is due.
    func recordStall(at now: Instant) -> Bool {
        if let last = stallWarnedAt, now.milliseconds(since: last) < Self.stallWarningMs {
            return false
        }
        stallWarnedAt = now
        return true
    }

    /// Applies another configuration from the next frame on. Call it only between two frames.
    package func apply(
        limits: Limits, feeds: [FeedDescription], indicators: IndicatorCatalogue
    ) {
        let names = Set(feeds.map(\.name))
        let former = (settings.value.feeds + settings.value.formerFeeds).filter {
            !names.contains($0.name)
        }
        recordedScratch = nil
        scratch.box.value = FrameScratch(limits: limits)
        settings.value = Settings(
            limits: limits, feeds: feeds, indicators: indicators, formerFeeds: former)
    }

    /// The configured feed with this name, to which views can be attached. Nil if there is none.
    func feed(named name: String) -> FeedDescription? {
        settings.value.feeds.first { $0.name.hasBytes(of: name) }
    }

    /// The text of the feed's `itemKey`; nil if there is none.
    func itemKeyText(ofView name: String) -> String? {
        // A description is large, so none is copied.
        for index in feeds.indices where feeds[index].name.hasBytes(of: name) {
            return feeds[index].itemKeyText
        }
        return feed(ofView: name)?.itemKeyText
    }

    /// The feed with this name, to which a view is attached. The feed may have been removed from
    /// the configuration since then.
    func feed(ofView name: String) -> FeedDescription? {
        feed(named: name) ?? settings.value.formerFeeds.first { $0.name.hasBytes(of: name) }
    }
}
