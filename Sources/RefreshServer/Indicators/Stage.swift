import RefreshIndicator
import RefreshProtocol

/// The indicators at the two edges of a view, and when they are to be looked at.
struct Stage {
    var refresh: EdgeIndicator?
    var loadMore: EdgeIndicator?
    /// When something will look different by itself; nil: nothing moves.
    private(set) var nextFrame: Instant?
    private var framedAt = Instant.origin
    /// Milliseconds from frame to frame.
    private var interval: Double

    init(_ settings: FrameSettings) {
        interval = 1000 / Double(settings.rate)
    }

    mutating func set(
        _ role: EdgeRole, _ indicator: EdgeIndicator?, _ settings: FrameSettings, at now: Instant
    ) {
        switch role {
        case .refresh: refresh = indicator
        case .loadMore: loadMore = indicator
        }
        let rates = [refresh?.programme.rate, loadMore?.programme.rate].compactMap { $0 }
        interval = 1000 / Double(rates.reduce(settings.rate, min))
        schedule(at: now)
    }

    /// Milliseconds.
    mutating func show(
        _ role: EdgeRole, _ state: EdgeState, _ pull: Double, _ result: LoadResult?,
        at now: Double
    ) {
        switch role {
        case .refresh: refresh?.performance?.show(state, pull, result, at: now)
        case .loadMore: loadMore?.performance?.show(state, pull, result, at: now)
        }
    }

    mutating func look(at now: Instant) {
        let time = now.milliseconds
        refresh?.performance?.look(at: time)
        loadMore?.performance?.look(at: time)
        schedule(at: now)
    }

    mutating func hasNews() -> Bool {
        refresh?.performance?.hasNews() == true || loadMore?.performance?.hasNews() == true
    }

    /// When the next frame is due: at the least of the rates, and not before something happens.
    private mutating func schedule(at now: Instant) {
        let time = now.milliseconds
        let change = min(
            refresh?.performance?.nextChange(after: time) ?? .infinity,
            loadMore?.performance?.nextChange(after: time) ?? .infinity)
        guard change < .infinity else {
            nextFrame = nil
            return
        }
        if framedAt.advanced(byMilliseconds: interval) <= now { framedAt = now }
        // Not before the moment has come, to the microsecond.
        let moment = Instant(milliseconds: change + 0.001)
        nextFrame = max(moment, framedAt.advanced(byMilliseconds: interval))
    }
}
