import RefreshEngine
import RefreshProtocol

/// Random events of a client, its user, its backend and its clock. Most are sensible, but some do
/// not fit the situation.
struct RandomEvents {
    /// The planned movement of the list by the user's hand.
    private enum Movement {
        case away
        /// A drag to the offset `to`, which takes `steps` more samples.
        case dragging(to: Double, steps: Int)
        case coasting(to: Double, steps: Int, Cause)
    }

    /// An item of the content. `place` is its distance in points from the end of the content at
    /// which reading begins.
    struct Item {
        var name: UInt64
        var place: Double
    }

    var random: SeededGenerator
    /// The item that last anchored the client's list. Nil if this item may have left the content or
    /// may have moved by an unreported distance.
    var item: Item?
    /// The number of items that were created so far.
    var items: UInt64 = 0
    var options: RandomOptions
    private var movement = Movement.away
    /// The finger's travel in a gesture of `pan` samples, and the offset at the beginning of the
    /// gesture. Nil in a gesture of `scroll` samples.
    private var pan: (translation: Double, from: Double)?
    /// The percentage of gestures that use `pan`.
    let pans: Int
    /// The percentage of events that do not fit the situation (see `stray`).
    private let nonsense: Int
    let isExtreme: Bool
    /// Whether every geometry change contains the offset that the list has after the change.
    let tellsOffsets: Bool
    let isUpright: Bool

    /// - Parameters:
    ///   - seed: determines the client and its events.
    ///   - profile: the profile from which its options are derived.
    ///   - isExtreme: whether sizes may be 0 or as large as the limits.
    ///   - pans: the percentage of gestures that use `pan`; nil: determined by the seed.
    ///   - tellsOffsets: whether every geometry change contains the offset after it.
    ///   - isUpright: whether the view is vertical, is read from its top and has no bars.
    init(
        seed: UInt64, profile: Profile, isExtreme: Bool = false, pans: Int? = nil,
        tellsOffsets: Bool = false, isUpright: Bool = false
    ) {
        random = SeededGenerator(seed: seed)
        options = RandomOptions(
            seed: random.next(), profile: profile, change: random.pick(0, 10, 40),
            isExtreme: isExtreme)
        let anyPans = random.pick(0, 0, 50, 100)
        self.pans = pans ?? anyPans
        self.nonsense = random.pick(2, 10, 30)
        self.isExtreme = isExtreme
        self.tellsOffsets = tellsOffsets
        self.isUpright = isUpright
    }

    /// Returns the view with which the session starts.
    mutating func start() -> Session.Start {
        var view = options.view()
        if isUpright { view.layout = ViewLayout() }
        let isHorizontal = view.layout.axis == .horizontal
        var geometry = sizes(isHorizontal)
        if isHorizontal, random.chance(50) { geometry.direction = .rightToLeft }
        return Session.Start(
            options: view, geometry: geometry,
            offset: random.chance(70) ? nil : random.pick(0, 400), hasUnread: random.chance(40))
    }

    /// The next event, and the milliseconds until it.
    mutating func next(for engine: Engine) -> (pause: Double, event: Event) {
        let pause = pause()
        if random.chance(nonsense) { return (pause, stray(engine)) }
        switch movement {
        case .away:
            return random.chance(40)
                ? (pause, takeHold(engine)) : (pause, other(engine))
        case .dragging(let target, let steps):
            if random.chance(12) { return (pause, other(engine)) }
            return (pause, drag(to: target, steps: steps, engine))
        case .coasting(let target, let steps, let cause):
            if random.chance(12) { return (pause, other(engine)) }
            return (pause, coast(to: target, steps: steps, cause, engine))
        }
    }

    private mutating func pause() -> Double {
        switch random.below(64) {
        case 0..<42: 16
        case 42..<46: 0
        case 46..<49: 1
        case 49..<54: 100
        case 54..<58: 400
        case 58..<60: 2500
        case 60, 61: 6000
        case 62: 31_000
        default: 300_000
        }
    }
}

// MARK: The hand

extension RandomEvents {
    private mutating func takeHold(_ engine: Engine) -> Event {
        let target = target(engine)
        switch random.below(10) {
        case 0:
            return coast(to: target, steps: 1 + random.below(4), wheelCause(), engine)
        case 1:
            return coast(to: target, steps: 1 + random.below(4), .finger, engine)
        default: break
        }
        movement = .dragging(to: target, steps: 1 + random.below(4))
        if random.chance(pans) {
            pan = (0, engine.offset)
            return .panned(PanSample(translation: 0, phase: .began))
        }
        pan = nil
        return scroll(.began, engine.offset, engine)
    }

    private mutating func drag(to target: Double, steps: Int, _ engine: Engine) -> Event {
        guard steps > 0 else { return letGo(engine) }
        movement = .dragging(to: target, steps: steps - 1)
        if let pan {
            // In the last step the finger travels twice the distance, because the rubber band shows
            // only a part of it.
            let distance = (target - pan.from) * (steps == 1 ? 2 : 1)
            let translation = engine.geometry.mirrored(distance: 0 - distance / Double(steps))
            self.pan?.translation = translation
            return .panned(PanSample(translation: translation, phase: .dragging))
        }
        let distance = ((target - engine.offset) / Double(steps) * 16).rounded() / 16
        return scroll(.dragging, steps == 1 ? target : engine.offset + distance, engine)
    }

    private mutating func letGo(_ engine: Engine) -> Event {
        let rest = engine.geometry.restingOffset
        let end = max(engine.geometry.endOffset, rest)
        let fling = random.pick(0.0, 0, 120, -300, 800)
        movement = .coasting(
            to: min(max(engine.offset + fling, rest), end), steps: random.below(3), .finger)
        let velocity = engine.geometry.mirrored(distance: random.pick(0, fling * 4, -3000, 3000))
        // The `ended` sample may be lost, and the system may cancel the gesture.
        let choice = random.below(20)
        if let pan {
            self.pan = nil
            movement = .away
            guard choice > 0 else { return .timePassed }
            return .panned(
                PanSample(
                    translation: pan.translation, phase: choice == 1 ? .cancelled : .ended,
                    velocity: velocity))
        }
        switch choice {
        case 0: return other(engine)
        case 1: return scroll(.cancelled, engine.offset, engine)
        default:
            return .scrolled(
                ScrollSample(
                    offset: engine.physicalOffset, phase: .ended, velocity: velocity))
        }
    }

    private mutating func coast(
        to target: Double, steps: Int, _ cause: Cause, _ engine: Engine
    ) -> Event {
        guard steps > 0 else {
            movement = .away
            return scroll(.idle, target, cause: cause, engine)
        }
        movement = .coasting(to: target, steps: steps - 1, cause)
        let distance = ((target - engine.offset) / Double(steps) * 16).rounded() / 16
        return scroll(.decelerating, engine.offset + distance, cause: cause, engine)
    }

    func scroll(
        _ phase: ScrollPhase, _ place: Double, cause: Cause = .finger, _ engine: Engine
    ) -> Event {
        .scrolled(
            ScrollSample(offset: engine.geometry.mirrored(place), phase: phase, cause: cause))
    }

    private mutating func wheelCause() -> Cause {
        switch random.below(4) {
        case 0, 1: .wheel
        case 2: .key
        default: .accessibility
        }
    }

    /// Returns an offset at which the engine decides something, such as a threshold.
    mutating func target(_ engine: Engine) -> Double {
        let rest = engine.geometry.restingOffset
        let end = engine.geometry.endOffset
        let refresh = engine.options.refresh
        let length = refresh?.length ?? 60
        if isExtreme, random.chance(20) { return random.chance(50) ? extreme() : -extreme() }
        switch random.below(16) {
        case 0: return rest
        case 1: return rest - random.sixteenths(from: 0, to: length)
        case 2, 3: return rest + (refresh?.preload ?? 0) - length
        case 4, 5: return rest - length - random.sixteenths(from: 0, to: 60)
        case 6: return rest - (refresh?.floor?.length ?? length * 2)
        case 7: return rest - length * 2.5
        case 8, 9: return end
        case 10: return end + random.sixteenths(from: 0, to: 80)
        case 11: return end - (engine.options.loadMore?.preload ?? 0)
        case 12: return end - random.sixteenths(from: 0, to: 300)
        case 13: return end + (engine.options.loadMore?.length ?? 60)
        case 14: return random.sixteenths(from: min(rest, end), to: max(rest, end))
        default: return engine.offset + random.sixteenths(from: -30, to: 30)
        }
    }
}
