import RefreshProtocol

/// The common parts of the built-in programmes.
extension Programme {
    /// The states in which a load runs.
    static let running: [EdgeState] = [.refreshing, .loading]
    /// The states in which a finish is shown.
    static let ended: [EdgeState] = [.succeeded, .failed, .finishing]
    /// The states in which nothing is shown.
    static let resting: [EdgeState] = [.idle, .noMore]

    /// Sets the enter transitions of some states.
    mutating func setEnterTransitions(of states: [EdgeState], _ transitions: Transition...) {
        for state in states { self.states[state, default: StateLook()].enter = transitions }
    }

    /// Adds property settings to some states. The settings override the values of the programme's
    /// parts.
    mutating func addSettings(to states: [EdgeState], _ settings: [StateLook.Setting]) {
        for state in states { self.states[state, default: StateLook()].set += settings }
    }

    /// Sets the same finish for success and failure: the given tracks, and a fade of all layers
    /// from their current opacity to 0.
    mutating func setFinish(_ ending: Ending, over duration: Double, _ tracks: [Track]) {
        let clip = Clip(duration: duration, tracks: tracks + [.everywhere(.opacity, 0)])
        finish = Finish(ending: ending, success: clip, failure: clip)
    }
}

extension Track {
    /// A track that moves a property of every layer through `keys`.
    static func everywhere(_ property: LayerProperty, _ keys: [Key]) -> Track {
        Track(everyLayer, property, keys)
    }

    /// A track in which a property of every layer has a constant value.
    static func everywhere(_ property: LayerProperty, _ value: Double) -> Track {
        everywhere(property, [Key(0, value)])
    }
}
