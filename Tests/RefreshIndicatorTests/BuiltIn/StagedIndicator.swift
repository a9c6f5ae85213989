import RefreshProtocol

@testable import RefreshIndicator

/// A player whose layers and properties are accessed by name.
struct StagedIndicator {
    private(set) var player: IndicatorPlayer
    /// The time of the last `show` or `look`, in milliseconds after `since`.
    private(set) var now = 0.0

    init(_ programme: Programme, role: EdgeRole = .refresh, motion: MotionPreference = .full) {
        player = IndicatorPlayer(
            Choreography(programme), role: role, motion: motion, state: .idle, at: 0)
    }

    /// Creates a player that shows a pull.
    init(_ programme: Programme, pulledTo pull: Double) {
        self.init(programme)
        self.pull(pull)
        look(at: 10_000)
        // Later times are counted from this instant.
        since = 10_000
        now = 0
    }

    /// The instant from which the times of `show` and `look` are counted.
    private var since = 0.0

    mutating func pull(_ pull: Double) {
        let state: EdgeState = pull <= 0 ? .idle : pull < 1 ? .pulling : .eligible
        player.show(state, pull: pull, result: nil, at: since + now)
        player.advance(to: since + now)
    }

    mutating func show(_ state: EdgeState, at now: Double, result: LoadResult? = nil) {
        self.now = now
        player.show(state, pull: 0, result: result, at: since + now)
        player.advance(to: since + now)
    }

    mutating func look(at now: Double) {
        self.now = now
        player.advance(to: since + now)
    }

    var programme: Programme { player.choreography.programme }

    subscript(layer: String, property: LayerProperty) -> Double {
        player.values[slot(layer, property)]
    }

    func color(_ layer: String) -> RGBColor {
        let slot = slot(layer, .color)
        return RGBColor(player.values[slot], player.values[slot + 1], player.values[slot + 2])
    }

    private func slot(_ layer: String, _ property: LayerProperty) -> Int {
        let index = programme.layers.firstIndex { $0.name == layer } ?? .max
        return index * LayerProperty.slotsPerLayer + property.slot
    }
}

extension Double {
    /// Whether the number equals `other` except for rounding errors.
    func isAbout(_ other: Double, within tolerance: Double = 1e-9) -> Bool {
        (self - other).magnitude <= tolerance * max(1, other.magnitude)
    }
}

extension Programme {
    /// Reads the programme from the text of a file.
    init(text: String) throws {
        try self.init(file: try JSONValue(parsing: text))
    }
}
