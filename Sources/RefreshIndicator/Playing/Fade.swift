/// The way from what one state showed to what the next shows.
struct Fade: Hashable, Sendable, Codable {
    private var since = 0.0
    /// Those that some property takes, each once.
    private var transitions: [Transition] = []
    /// Of each property, in their order, the place of its transition; nil: it is there at once.
    private var places: [Int?] = []
    /// How far each transition is, nil when it is over: worked out once a look, as it serves many
    /// slots.
    private var ways: [Double?] = []
    private var from: [Double] = []
    private var end = -Double.infinity

    /// Begins where the look is.
    mutating func begin(
        leaving old: CompiledState?, entering new: CompiledState?, at now: Double,
        from look: [Double]
    ) {
        guard old != nil || new != nil else { return }
        since = now
        var distinct: [Transition] = []
        places = LayerProperty.allCases.indices.map { property -> Int? in
            guard let transition = new?.enter[property] ?? old?.exit[property] else { return nil }
            let (duration, easing) = (transition.duration, transition.easing)
            let known = distinct.firstIndex { $0.duration == duration && $0.easing == easing }
            if known == nil { distinct.append(transition) }
            return known ?? distinct.count - 1
        }
        transitions = distinct
        ways = distinct.map { _ in nil }
        end = now + (distinct.map(\.duration).max() ?? 0)
        from = look
    }

    func isActive(at now: Double) -> Bool { now < end }

    /// Whether it can be one of looks of so many numbers.
    func fits(slots: Int) -> Bool {
        ways.count == transitions.count
            && places.allSatisfy {
                transitions.indices.contains($0 ?? transitions.startIndex) || $0 == nil
            }
            && (end == -.infinity
                || from.count == slots && places.count == LayerProperty.allCases.count)
    }

    /// Mixes what was shown into what is.
    mutating func apply(at now: Double, to look: inout [Double], _ slots: [Int]) {
        guard now < end else { return }
        for place in transitions.indices { ways[place] = way(of: transitions[place], at: now) }
        for slot in slots {
            let property = LayerProperty.at(slot: slot % LayerProperty.slotsPerLayer)
            guard let place = places[property.index], let way = ways[place] else { continue }
            look[slot] = from[slot] + (look[slot] - from[slot]) * way
        }
    }

    private func way(of transition: Transition, at now: Double) -> Double? {
        let passed = now - since
        guard passed < transition.duration else { return nil }
        return transition.easing.value(at: passed / transition.duration)
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
