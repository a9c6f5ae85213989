import RefreshIndicator
import RefreshProtocol

/// A player of an indicator with one layer. The caller states the time of each call.
struct Stage {
    var player: IndicatorPlayer

    init(
        _ json: String, role: EdgeRole = .refresh, motion: MotionPreference = .full
    ) throws {
        let programme = try Programme(json: JSONValue(parsing: json))
        player = IndicatorPlayer(
            Choreography(programme), role: role, motion: motion, state: .idle, at: 0)
    }

    mutating func show(
        _ state: EdgeState, pull: Double = 0, result: LoadResult? = nil, at time: Double
    ) {
        player.show(state, pull: pull, result: result, at: time)
    }

    /// The value of the layer's property, rounded to a thousandth.
    mutating func value(_ property: LayerProperty, at time: Double) -> Double {
        player.advance(to: time)
        return (player.values[property.slot] * 1000).rounded() / 1000
    }
}
