/// The transition from the look of one state to the look of the next.
struct Fade: Hashable, Sendable, Codable {
    private var since = 0.0
    /// The distinct transitions of the properties.
    private var transitions: [Transition] = []
    /// For each property, in the order of the properties, the index of its transition. Nil if the
    /// property changes immediately.
    private var places: [Int?] = []
    /// The progress of each transition; nil after its end. The progress is computed once for each
    /// look, because many numbers of the look (slots) use it.
    private var fractions: [Double?] = []
    private var from: [Double] = []
    private var end = -Double.infinity

    // The names of the members in journals.
    private enum CodingKeys: String, CodingKey {
        case since, transitions, places, from, end
        case fractions = "ways"
    }

    /// Begins the transition at the current look.
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
        fractions = distinct.map { _ in nil }
        end = now + (distinct.map(\.duration).max() ?? 0)
        from = look
    }

    func isActive(at now: Double) -> Bool { now < end }

    /// Whether this value can belong to looks with `slots` numbers.
    func isConsistent(withSlots: Int) -> Bool {
        fractions.count == transitions.count
            && places.allSatisfy {
                transitions.indices.contains($0 ?? transitions.startIndex) || $0 == nil
            }
            && (end == -.infinity
                || from.count == withSlots && places.count == LayerProperty.allCases.count)
    }

    /// Blends the previous look into the current one.
    mutating func apply(at now: Double, to look: inout [Double], _ slots: [Int]) {
        guard now < end else { return }
        for place in transitions.indices {
            fractions[place] = progress(of: transitions[place], at: now)
        }
        for slot in slots {
            let property = LayerProperty.at(slot: slot % LayerProperty.slotsPerLayer)
            guard let place = places[property.index], let fraction = fractions[place] else {
                continue
            }
            look[slot] = from[slot] + (look[slot] - from[slot]) * fraction
        }
    }

    private func progress(of transition: Transition, at now: Double) -> Double? {
        let passed = now - since
        guard passed < transition.duration else { return nil }
        return transition.easing.value(at: passed / transition.duration)
    }
}

extension LayerProperty {
    /// The index of the property among all properties.
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
