package import RefreshProtocol

/// A damping curve at one edge of one view: how far content follows a finger beyond that edge.
///
/// A distance is how far the finger is beyond the edge, and an overshoot is how far the list is
/// beyond the edge. Both are in points. The overshoot is 0 at a distance of 0. It never decreases
/// as the distance grows, and is finite for every finite distance. Sources of the curves:
/// UIScrollView, SmartRefreshLayout (SmartRefreshLayout.java, 1751-1780), SwipeRefreshLayout,
/// Compose's pullToRefresh, and Flutter's RefreshIndicator. The tests contain reference values.
package struct Damping: Hashable, Sendable, Codable {
    package var curve: DampingCurve
    /// The visible length of the list along its axis, in points.
    package var viewport: Double
    /// The distance to the edge's threshold, in points, above 0.
    package var length: Double
    /// The room that is held open at the edge, in points. SmartRefreshLayout counts it as already
    /// pulled.
    package var room: Double
    /// The maximum overshoot, in points. If it is nil, the curve's own limit applies.
    package var maximum: Double?

    package init(
        curve: DampingCurve, viewport: Double, length: Double, room: Double = 0,
        maximum: Double? = nil
    ) {
        self.curve = curve
        self.viewport = max(viewport, 1)
        self.length = length
        self.room = room
        self.maximum = maximum
    }

    /// A constant of UIScrollView: at the edge, the content moves by this fraction of the finger's
    /// travel. Farther out, the fraction decreases.
    private static let constant = 0.55
    /// In SmartRefreshLayout, SwipeRefreshLayout and Compose, the list moves by this fraction of
    /// the finger's travel before there is resistance.
    private static let dragRate = 0.5
    private static let logOf100 = 4.605170185988092

    /// The largest overshoot that a finger can reach or approach; infinity if there is none.
    package var limit: Double {
        let maximum = maximum ?? .infinity
        switch curve {
        case .none: return maximum
        case .uiscrollview: return min(viewport, maximum)
        // SmartRefreshLayout has its own setting for the maximum. Its default is 2.5 lengths.
        case .smartRefreshLayout:
            return max((self.maximum ?? 2.5 * length) - room, 0)
        case .swipeRefreshLayout, .compose: return min(2 * length, maximum)
        case .flutter: return min(1.5 * length, maximum)
        }
    }

    /// The list's overshoot for a finger that is `distance` beyond the edge.
    package func overshoot(distance: Double) -> Double {
        guard distance > 0, limit > 0 else { return 0 }
        switch curve {
        case .none: return min(distance, limit)
        case .uiscrollview:
            let pulled = Self.constant * distance
            return pulled / (1 + pulled / limit)
        case .smartRefreshLayout:
            let pulled = Self.dragRate * distance
            return min(limit * (1 - Exponential.exp(-pulled * exponent)), pulled)
        case .swipeRefreshLayout, .compose:
            let pulled = Self.dragRate * distance
            if pulled <= slack { return pulled }
            let tension = min((pulled - slack) / (4 * slack), 0.5)
            return slack + 4 * slack * (tension - tension * tension)
        case .flutter: return min(flutterRate * distance, limit)
        }
    }

    /// The derivative of the overshoot: the list's velocity as a fraction of the finger's.
    package func slope(distance: Double) -> Double {
        guard limit > 0 else { return 0 }
        let distance = max(distance, 0)
        switch curve {
        case .none: return distance < limit ? 1 : 0
        case .uiscrollview:
            let resistance = 1 + Self.constant * distance / limit
            return Self.constant / (resistance * resistance)
        case .smartRefreshLayout:
            let pulled = Self.dragRate * distance
            let part = Exponential.exp(-pulled * exponent)
            if pulled <= limit * (1 - part) { return Self.dragRate }
            return Self.dragRate * limit * exponent * part
        case .swipeRefreshLayout, .compose:
            let pulled = Self.dragRate * distance
            if pulled <= slack { return Self.dragRate }
            let tension = min((pulled - slack) / (4 * slack), 0.5)
            return Self.dragRate * (1 - 2 * tension)
        case .flutter: return flutterRate * distance < limit ? flutterRate : 0
        }
    }

    /// The smallest finger distance that shows `overshoot`. If no distance shows it, the result is
    /// a distance whose overshoot is close to the limit.
    package func distance(overshoot: Double) -> Double {
        guard overshoot > 0, limit > 0 else { return 0 }
        switch curve {
        case .none: return min(overshoot, limit)
        case .uiscrollview:
            let shown = min(overshoot, limit * Self.nearLimit)
            return shown / (Self.constant * (1 - shown / limit))
        case .smartRefreshLayout:
            let shown = min(overshoot, limit * Self.nearLimit)
            let pulled = -Exponential.log(1 - shown / limit) / exponent
            return max(pulled, shown) / Self.dragRate
        case .swipeRefreshLayout, .compose:
            let shown = min(overshoot, limit)
            if shown <= slack { return shown / Self.dragRate }
            let bend = max(1 - (shown - slack) / slack, 0)
            let tension = (1 - bend.squareRoot()) / 2
            return (slack + 4 * slack * tension) / Self.dragRate
        case .flutter: return min(overshoot, limit) / flutterRate
        }
    }

    /// Some curves never reach their limit. For such a curve, this fraction of the limit counts as
    /// the limit.
    private static let nearLimit = 0.999

    /// The exponent of SmartRefreshLayout's curve, per point of the reduced travel (`dragRate`
    /// times the finger's travel). SmartRefreshLayout computes the exponent from the larger of the
    /// view's height and half the screen's height. During a refresh, it uses four thirds of the
    /// screen's height. The daemon knows only the viewport, and uses its length instead of these
    /// heights.
    private var exponent: Double {
        let distance = room > 0 ? viewport * 4 / 3 - room : viewport
        return Self.logOf100 / max(distance, 1)
    }

    /// In SwipeRefreshLayout and Compose, the overshoot up to which there is no resistance. It is
    /// half of the limit.
    private var slack: Double { limit / 2 }

    /// In Flutter, the overshoot per point of the finger's travel. The overshoot reaches one and a
    /// half lengths at a quarter of the viewport.
    private var flutterRate: Double { 1.5 * length / (viewport / 4) }
}
