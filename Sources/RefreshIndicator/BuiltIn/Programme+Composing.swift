import RefreshProtocol

/// What the built-in programmes have in common.
extension Programme {
    /// The states in which something runs.
    static let running: [EdgeState] = [.refreshing, .loading]
    /// The states that a finish is shown in.
    static let ended: [EdgeState] = [.succeeded, .failed, .finishing]
    /// The states in which nothing is shown.
    static let resting: [EdgeState] = [.idle, .noMore]

    /// Says how some states are come into.
    mutating func enter(_ states: [EdgeState], _ transitions: Transition...) {
        for state in states { self.states[state, default: StateLook()].enter = transitions }
    }

    /// Says what some states show, whatever the parts do.
    mutating func set(_ states: [EdgeState], _ settings: [StateLook.Setting]) {
        for state in states { self.states[state, default: StateLook()].set += settings }
    }

    /// Ends alike whatever came of it: what `tracks` move, and all opacity from what it was to
    /// nothing.
    mutating func leave(_ ending: Ending, over duration: Double, _ tracks: [Track]) {
        let clip = Clip(duration: duration, tracks: tracks + [.everywhere(.opacity, 0)])
        finish = Finish(ending: ending, success: clip, failure: clip)
    }
}

extension Track {
    /// A property of every layer, through `keys`.
    static func everywhere(_ property: LayerProperty, _ keys: [Key]) -> Track {
        Track(everyLayer, property, keys)
    }

    /// A property of every layer, all through.
    static func everywhere(_ property: LayerProperty, _ value: Double) -> Track {
        everywhere(property, [Key(0, value)])
    }
}
