import RefreshEngine
import RefreshProtocol

/// Events as clients, backends and timers may cause them in any order, sensible and not.
struct RandomEvents {
    private var random: SeededGenerator
    private let isExtreme: Bool

    /// With `isExtreme` sizes of nothing and up to the limits are among them.
    init(seed: UInt64, isExtreme: Bool) {
        random = SeededGenerator(seed: seed)
        self.isExtreme = isExtreme
    }

    mutating func options() -> ViewOptions {
        var options = random.chance(50) ? ViewOptions.iq() : ViewOptions.uikit()
        options.isClientBacked = random.chance(30)
        options.paging = PagingOptions(
            style: random.pick(.page, .offset, .cursor, .none), first: random.pick(0, 1),
            size: random.pick(1, 10, 50))
        options.refresh = refreshOptions()
        options.loadMore = loadMoreOptions()
        return options
    }

    mutating func geometry() -> GeometryChange {
        guard !isExtreme else {
            return .sizes(
                viewport: extreme(), content: extreme(), top: extreme(), bottom: extreme())
        }
        return .sizes(
            viewport: random.pick(0, 800, 800, 800), content: random.pick(0, 300, 800, 830, 2000),
            top: random.pick(0, 0, 47.67, 88), bottom: random.pick(0, 34.33))
    }

    /// Milliseconds to the next event.
    mutating func pause() -> Double { random.pick(0, 1, 16, 16, 16, 100, 400, 2500, 6000, 31_000) }

    mutating func event(for engine: Engine) -> Event {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<45: .scrolled(scrollSample(engine))
        case 45..<62: .panned(panSample())
        case 62..<67: .geometryChanged(random.chance(30) ? geometry() : partialGeometry())
        case 67..<70: .refreshAsked(cause: random.pick(.code, .key), animated: random.chance(50))
        case 70..<72: .refreshShown(animated: random.chance(50))
        case 72..<74: .refreshHidden(animated: random.chance(50))
        case 74..<76: .moreAsked(cause: random.pick(.code, .wheel))
        case 76..<78: .retryAsked(random.pick(nil, .refresh, .loadMore))
        case 78..<80: .cancelAsked(random.pick(nil, .refresh, .loadMore))
        case 80..<83: .loadBegan(load(engine), accepted: random.chance(80))
        case 83: .loadProgressed(load(engine))
        case 84..<92: .loadEnded(load(engine), ending())
        case 92: .edgeEnabled(random.pick(.refresh, .loadMore), random.chance(70))
        case 93: .edgesConfigured(refresh: refreshOptions(), loadMore: loadMoreOptions())
        default: .timePassed
        }
    }

    private mutating func scrollSample(_ engine: Engine) -> ScrollSample {
        let phase: ScrollPhase = random.pick(
            .began, .dragging, .dragging, .dragging, .ended, .ended, .cancelled, .decelerating,
            .decelerating, .idle)
        let cause: Cause = random.chance(85) ? .finger : random.pick(.wheel, .key, .code)
        return ScrollSample(offset: offset(engine), phase: phase, cause: cause)
    }

    /// Where thresholds lie, and steps from where the list is.
    private mutating func offset(_ engine: Engine) -> Double {
        if isExtreme, random.chance(30) { return random.chance(50) ? extreme() : -extreme() }
        let rest = engine.geometry.restingOffset
        let end = engine.geometry.endOffset
        return switch Int.random(in: 0..<8, using: &random) {
        case 0: rest
        case 1: rest - random.pick(0.3, 30, 59.999, 60, 80)
        case 2: end
        case 3: end - random.pick(0.4, 20, 60, 70)
        case 4: end + random.pick(10, 60, 75)
        default: engine.offset + Double.random(in: -90...90, using: &random)
        }
    }

    private mutating func panSample() -> PanSample {
        let translation =
            isExtreme && random.chance(30)
            ? random.pick(-1, 1) * extreme() : Double.random(in: -300...300, using: &random)
        return PanSample(
            translation: translation,
            phase: random.pick(.began, .dragging, .dragging, .dragging, .ended, .cancelled, .idle),
            cause: random.chance(95) ? .finger : .code)
    }

    private mutating func partialGeometry() -> GeometryChange {
        var change = GeometryChange()
        switch Int.random(in: 0..<4, using: &random) {
        case 0: change.content = Size(width: 390, height: random.pick(0, 300, 790, 2000, 4000))
        case 1: change.bars = Bars(navigationBottom: random.pick(0, 44, 88))
        case 2: change.scale = 2
        default: change.viewport = Size(width: 390, height: random.pick(390, 800))
        }
        return change
    }

    private mutating func extreme() -> Double {
        random.pick(0, 0.001, 1, 800, 10_000_000, 1_000_000_000)
    }

    private mutating func load(_ engine: Engine) -> LoadID {
        let current = random.chance(60) ? engine.refresh.load : engine.loadMore.load
        if let current, random.chance(85) { return current }
        return LoadID(UInt32.random(in: 0...5, using: &random))
    }

    private mutating func ending() -> LoadEnding {
        LoadEnding(
            random.pick(.success, .success, .empty, .noMore, .failed, .cancelled, .timedOut),
            count: random.pick(0, 3, 10, 50), more: random.pick(nil, true, false),
            cursor: random.pick(nil, "next"))
    }

    private mutating func refreshOptions() -> RefreshOptions? {
        guard random.chance(92) else { return nil }
        var options: RefreshOptions = random.pick(
            Profile.iqpulltorefresh.refresh, Profile.uikit.refresh)
        options.isEnabled = random.chance(90)
        options.trigger = random.pick(.release, .reach)
        options.length = random.pick(60, 80, isExtreme ? 1e-6 : 1)
        options.preload = random.pick(0, 0, 30, 200)
        return options
    }

    private mutating func loadMoreOptions() -> LoadMoreOptions? {
        guard random.chance(92) else { return nil }
        var options = Profile.uikit.loadMore
        options.isEnabled = random.chance(90)
        options.trigger = random.pick(.release, .reach)
        options.mode = random.pick(.user, .limit)
        options.length = random.pick(60, 80, isExtreme ? 1e-6 : 1)
        options.preload = random.pick(0, 0, 30, 200)
        options.holdsInset = random.chance(80)
        options.fillPagesMax = random.pick(0, 2, 5)
        return options
    }
}
