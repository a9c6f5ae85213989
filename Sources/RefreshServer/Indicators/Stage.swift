import RefreshIndicator
import RefreshProtocol

/// The indicators at the two edges of a view, each at its own rate.
struct Stage {
    var refresh: EdgeIndicator?
    var loadMore: EdgeIndicator?

    /// When one will look different by itself; nil: nothing moves.
    var nextFrame: Instant? {
        let due = min(refresh?.played?.due ?? .never, loadMore?.played?.due ?? .never)
        return due == .never ? nil : due
    }

    mutating func show(
        _ role: EdgeRole, _ state: EdgeState, _ pull: Double, _ result: LoadResult?,
        at now: Instant
    ) {
        switch role {
        case .refresh: refresh?.played?.show(state, pull, result, at: now)
        case .loadMore: loadMore?.played?.show(state, pull, result, at: now)
        }
    }

    mutating func look(at now: Instant) {
        refresh?.played?.look(at: now)
        loadMore?.played?.look(at: now)
    }

    mutating func hasNews() -> Bool {
        // Both are asked: each notes what it finds.
        let refreshHas = refresh?.played?.hasNews() == true
        return loadMore?.played?.hasNews() == true || refreshHas
    }
}
