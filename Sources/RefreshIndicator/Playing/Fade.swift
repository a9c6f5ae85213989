/// The way from what one state showed to what the next shows.
struct Fade: Sendable {
    private var since = 0.0
    /// For each property, in their order; nil: it is there at once. Empty: all are.
    private var transitions: [Transition?] = []
    private var from: [Double] = []
    private var end = -Double.infinity

    /// Begins where the look is.
    mutating func begin(
        leaving old: CompiledState?, entering new: CompiledState?, at now: Double,
        from look: [Double]
    ) {
        guard old != nil || new != nil else { return }
        since = now
        transitions = LayerProperty.allCases.indices.map { new?.enter[$0] ?? old?.exit[$0] }
        end = now + (transitions.compactMap { $0?.duration }.max() ?? 0)
        from = look
    }

    func isActive(at now: Double) -> Bool { now < end }

    /// Mixes what was shown into what is.
    func apply(at now: Double, to look: inout [Double], _ slots: [Int]) {
        guard now < end else { return }
        for slot in slots {
            let property = LayerProperty.at(slot: slot % LayerProperty.slotsPerLayer)
            guard let transition = transitions[property.index], now - since < transition.duration
            else { continue }
            let way = transition.easing.value(at: (now - since) / transition.duration)
            look[slot] = from[slot] + (look[slot] - from[slot]) * way
        }
    }
}

extension LayerProperty {
    /// Its place among all of them.
    fileprivate var index: Int {
        switch self {
        case .x: 0
        case .y: 1
        case .rotation: 2
        case .scale: 3
        case .opacity: 4
        case .color: 5
        case .strokeStart: 6
        case .strokeEnd: 7
        }
    }
}
