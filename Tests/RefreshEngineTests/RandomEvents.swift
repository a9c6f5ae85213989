import RefreshEngine
import RefreshProtocol

/// A client, its user, its backend and its clock, as they may behave: mostly sensibly, and at any moment not.
struct RandomEvents {
    /// How the hand is about to move the list.
    private enum Hand {
        case away
        /// To this place, in so many more samples.
        case dragging(to: Double, steps: Int)
        case coasting(to: Double, steps: Int, Cause)
    }

    private var random: SeededGenerator
    private var options: RandomOptions
    private var hand = Hand.away
    /// The finger's travel in a gesture that is told by `pan`; nil in one by `scroll`.
    private var pan: (translation: Double, from: Double)?
    /// Of a hundred gestures, those by `pan`.
    private let pans: Int
    /// Of a hundred events, those that make no sense.
    private let nonsense: Int
    private let isExtreme: Bool
    /// Whether every geometry is told with the offset after it.
    private let tellsOffsets: Bool
    private let isUpright: Bool

    /// - Parameters:
    ///   - seed: what the client is like, and does.
    ///   - profile: what its options begin with.
    ///   - isExtreme: sizes of nothing and up to the limits are among them.
    ///   - pans: how many of a hundred gestures are by `pan`; nil: as the seed says.
    ///   - tellsOffsets: every geometry is told with the offset after it.
    ///   - isUpright: the view is vertical, read from its top, and without bars.
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

    /// A view to begin with.
    mutating func start() -> Session.Start {
        var view = options.view()
        if isUpright { view.layout = ViewLayout() }
        let isHorizontal = view.layout.axis == .horizontal
        var geometry = sizes(isHorizontal)
        if isHorizontal, random.chance(50) { geometry.direction = .rightToLeft }
        return Session.Start(
            options: view, geometry: geometry,
            offset: random.chance(70) ? nil : random.pick(0, 400))
    }

    /// The next fact, and the milliseconds until it.
    mutating func next(for engine: Engine) -> (pause: Double, event: Event) {
        let pause = pause()
        if random.chance(nonsense) { return (pause, stray(engine)) }
        switch hand {
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
        hand = .dragging(to: target, steps: 1 + random.below(4))
        if random.chance(pans) {
            pan = (0, engine.offset)
            return .panned(PanSample(translation: 0, phase: .began))
        }
        pan = nil
        return scroll(.began, engine.offset, engine)
    }

    private mutating func drag(to target: Double, steps: Int, _ engine: Engine) -> Event {
        guard steps > 0 else { return letGo(engine) }
        hand = .dragging(to: target, steps: steps - 1)
        if let pan {
            // Twice as far, for the rubber band.
            let way = (target - pan.from) * (steps == 1 ? 2 : 1)
            let translation = engine.geometry.mirrored(way: 0 - way / Double(steps))
            self.pan?.translation = translation
            return .panned(PanSample(translation: translation, phase: .dragging))
        }
        let way = ((target - engine.offset) / Double(steps) * 16).rounded() / 16
        return scroll(.dragging, steps == 1 ? target : engine.offset + way, engine)
    }

    private mutating func letGo(_ engine: Engine) -> Event {
        let rest = engine.geometry.restingOffset
        let end = max(engine.geometry.endOffset, rest)
        let fling = random.pick(0.0, 0, 120, -300, 800)
        hand = .coasting(
            to: min(max(engine.offset + fling, rest), end), steps: random.below(3), .finger)
        let velocity = engine.geometry.mirrored(way: random.pick(0, fling * 4, -3000, 3000))
        // An "ended" may be lost, and the system may take the gesture away.
        let fate = random.below(20)
        if let pan {
            self.pan = nil
            hand = .away
            guard fate > 0 else { return .timePassed }
            return .panned(
                PanSample(
                    translation: pan.translation, phase: fate == 1 ? .cancelled : .ended,
                    velocity: velocity))
        }
        switch fate {
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
            hand = .away
            return scroll(.idle, target, cause: cause, engine)
        }
        hand = .coasting(to: target, steps: steps - 1, cause)
        let way = ((target - engine.offset) / Double(steps) * 16).rounded() / 16
        return scroll(.decelerating, engine.offset + way, cause: cause, engine)
    }

    private func scroll(
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

    /// A place that matters.
    private mutating func target(_ engine: Engine) -> Double {
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

// MARK: Everyone else

extension RandomEvents {
    private mutating func other(_ engine: Engine) -> Event {
        if engine.refresh.load != nil || engine.loadMore.load != nil, random.chance(40) {
            return answer(engine)
        }
        switch random.below(40) {
        case 0..<7: return geometry(engine)
        case 7..<11: return .refreshAsked(cause: requestCause(), animated: random.chance(70))
        case 11: return .refreshShown(animated: random.chance(50))
        case 12: return .refreshHidden(animated: random.chance(50))
        case 13..<16: return .moreAsked(cause: requestCause())
        case 16, 17: return .retryAsked(role())
        case 18: return .cancelAsked(role())
        case 19: return .resetAsked(role())
        case 20, 21: return .floorAsked(isOpen: random.chance(60))
        case 22: return .appeared
        case 23: return .edgeEnabled(random.chance(50) ? .refresh : .loadMore, random.chance(75))
        case 24:
            return .edgesConfigured(
                refresh: random.chance(90) ? options.refresh() : nil,
                loadMore: random.chance(90) ? options.loadMore() : nil,
                paging: random.chance(20) ? options.paging() : nil)
        case 25: return .loadProgressed(load(engine))
        default: return .timePassed
        }
    }

    /// What a backend says, now or late, once or twice.
    private mutating func answer(_ engine: Engine) -> Event {
        switch random.below(10) {
        case 0, 1: .loadBegan(load(engine), accepted: random.chance(85))
        default: .loadEnded(load(engine), ending())
        }
    }

    private mutating func load(_ engine: Engine) -> LoadID {
        let current =
            random.chance(60)
            ? engine.refresh.load ?? engine.loadMore.load
            : engine.loadMore.load ?? engine.refresh.load
        if let current, random.chance(92) { return current }
        return LoadID(UInt32(random.below(6)))
    }

    private mutating func ending() -> LoadEnding {
        let result: LoadResult =
            switch random.below(12) {
            case 0..<6: .success
            case 6: .empty
            case 7: .noMore
            case 8, 9: .failed
            case 10: .cancelled
            default: .timedOut
            }
        let more: Bool? =
            switch random.below(6) {
            case 0: false
            case 1, 2: true
            default: nil
            }
        let count =
            switch random.below(4) {
            case 0: 0
            case 1: 3
            case 2: 10
            default: 50
            }
        return LoadEnding(
            result, count: count, more: more, cursor: random.chance(70) ? "next" : nil)
    }

    private mutating func role() -> EdgeRole? {
        switch random.below(3) {
        case 0: nil
        case 1: .refresh
        default: .loadMore
        }
    }

    private mutating func requestCause() -> Cause {
        switch random.below(8) {
        case 0: .finger
        case 1: .wheel
        case 2: .key
        case 3: .accessibility
        default: .code
        }
    }

    /// A sample that does not belong where it comes, of anyone who can move the list.
    private mutating func stray(_ engine: Engine) -> Event {
        let phase: ScrollPhase =
            switch random.below(7) {
            case 0: .began
            case 1, 2: .dragging
            case 3: .ended
            case 4: .cancelled
            case 5: .decelerating
            default: .idle
            }
        let cause: Cause =
            switch random.below(8) {
            case 0: .wheel
            case 1: .key
            case 2, 3: .code
            default: .finger
            }
        switch random.below(8) {
        case 0..<4: return scroll(phase, target(engine), cause: cause, engine)
        case 4, 5:
            guard pans > 0 else { return other(engine) }
            let way =
                isExtreme && random.chance(30)
                ? extreme() : random.sixteenths(from: -300, to: 300)
            return .panned(PanSample(translation: way, phase: phase, cause: cause))
        case 6: return .timePassed
        default: return other(engine)
        }
    }
}

// MARK: Sizes

extension RandomEvents {
    private mutating func extreme() -> Double {
        random.pick(0, 0.001, 1, 800, 10_000_000, 1_000_000_000)
    }

    /// Sizes along the axis, whole.
    private mutating func sizes(_ isHorizontal: Bool) -> GeometryChange {
        var change = GeometryChange()
        let viewport = isExtreme ? extreme() : random.pick(0, 800, 800, 800, 640)
        let content = isExtreme ? extreme() : random.pick(0, 300, 800, 830, 2000, 2000, 4000)
        change.viewport = size(viewport, isHorizontal)
        change.content = size(content, isHorizontal)
        change.insets = insets(isHorizontal)
        return change
    }

    private func size(_ length: Double, _ isHorizontal: Bool) -> Size {
        isHorizontal ? Size(width: length, height: 390) : Size(width: 390, height: length)
    }

    private mutating func insets(_ isHorizontal: Bool) -> EdgeInsets {
        let near = isExtreme ? extreme() : random.pick(0, 0, 47.6875, 88)
        let far = isExtreme ? extreme() : random.pick(0, 34.3125)
        return isHorizontal
            ? EdgeInsets(left: near, right: far) : EdgeInsets(top: near, bottom: far)
    }

    private mutating func geometry(_ engine: Engine) -> Event {
        let isHorizontal = engine.options.layout.axis == .horizontal
        var change = GeometryChange()
        let length = engine.geometry.contentLength
        switch random.below(8) {
        case 0:
            change.content = size(length + random.pick(60, 600, 2000), isHorizontal)
            if random.chance(60) {
                change.anchor = Anchor(name: 1, position: random.sixteenths(from: 0, to: 900))
            }
        case 1, 2: change.content = size(random.pick(0, 300, 790, 2000, 4000), isHorizontal)
        case 3:
            let height = random.pick(0.0, 44, 88)
            if isUpright {
                change.insets = EdgeInsets(top: height)
            } else {
                change.bars = Bars(navigationBottom: height)
            }
        case 4: change.viewport = size(random.pick(390, 640, 800), isHorizontal)
        case 5: change.insets = insets(isHorizontal)
        case 6:
            if isHorizontal {
                change.direction = random.chance(50) ? .leftToRight : .rightToLeft
            } else {
                change.anchor = Anchor(
                    name: UInt64(random.below(2)), position: random.sixteenths(from: 0, to: 900))
            }
        default: change = sizes(isHorizontal)
        }
        if tellsOffsets || random.chance(20) {
            change.offset = engine.physicalOffset + random.pick(0, 0, 7.25, -30.5)
        }
        return .geometryChanged(change)
    }
}
