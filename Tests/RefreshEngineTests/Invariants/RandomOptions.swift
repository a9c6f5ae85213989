import RefreshEngine
import RefreshProtocol

/// Random options for `attach`: the options of a profile, some of them with other valid values.
struct RandomOptions {
    private var random: SeededGenerator
    let profile: Profile
    /// The percentage of options that are changed.
    private let change: Int
    /// Whether the values include lengths close to 0.
    private let isExtreme: Bool

    init(seed: UInt64, profile: Profile, change: Int, isExtreme: Bool = false) {
        random = SeededGenerator(seed: seed)
        self.profile = profile
        self.change = change
        self.isExtreme = isExtreme
    }

    private var changes: Bool { mutating get { random.chance(change) } }

    mutating func view() -> ViewOptions {
        var options = ViewOptions(
            profile: profile,
            layout: ViewLayout(
                axis: random.pick(.vertical, .vertical, .horizontal),
                isReversed: random.chance(30)),
            paging: paging(), isClientBacked: random.chance(40), limits: Limits())
        options.refresh = random.chance(95) ? refresh() : nil
        options.loadMore = random.chance(95) ? loadMore() : nil
        options.pan = pan()
        if changes { options.attention = random.pick(.everything, .movement) }
        if changes { options.playsHaptics = random.chance(50) }
        if changes { options.announces = random.chance(50) }
        return options
    }

    mutating func paging() -> PagingOptions {
        PagingOptions(
            style: random.pick(.page, .page, .offset, .cursor, .none), first: random.pick(0, 1),
            size: random.pick(1, 10, 50))
    }

    mutating func pan() -> PanOptions {
        var options = PanOptions()
        if changes { options.maximumPull = random.pick(nil, 0, 120, 900) }
        if changes {
            options.damping = DampingCurve.allCases.randomElement(using: &random) ?? .none
        }
        if changes { options.rate = random.pick(.normal, .fast) }
        return options
    }

    mutating func refresh() -> RefreshOptions {
        var options = profile.refresh
        if changes { options.isEnabled = random.chance(70) }
        if changes { options.trigger = random.pick(.release, .reach, .platform) }
        if changes { options.length = random.pick(60, 80, 100.5, isExtreme ? 1e-6 : 1) }
        if changes { options.preload = random.pick(0, 0, 0.25, 0.5) * options.length }
        if changes { options.start = random.pick(0, 0.25, 0.5) * options.length }
        if options.start >= options.length { options.start = 0 }
        if changes { options.ownRoom = random.pick(nil, 0, 40, 90.5) }
        if changes { options.hysteresis = random.pick(0, 0.125, 0.5) * options.length }
        if options.hysteresis >= options.length { options.hysteresis = 0 }
        if changes { options.slop = random.pick(0, 10) }
        if changes { options.isStrict = random.chance(50) }
        if changes { options.holdsInset = random.chance(50) }
        if changes { options.roomZone = random.pick(nil, 0, 20) }
        if changes { options.isFloating = random.chance(60) }
        if changes { options.insetDuration = random.pick(0, 100, 300) }
        if changes { options.offsetDuration = random.pick(0, 250) }
        if changes { options.intents = random.pick(.all, .allButInertia, .finger, [.code, .key]) }
        if changes { options.whileLoading = random.pick(.cancel, .queue, .reject, .concurrent) }
        timing(&options)
        if changes { options.floor = floor(beyond: options) }
        if changes { options.depth = random.pick(.keep, .keepVisible) }
        if changes { options.progressMax = random.pick(1, 1.5, 10) }
        return options
    }

    private mutating func timing(_ options: inout RefreshOptions) {
        if changes {
            options.closing = random.pick(.atOnce, .animated, .atRelease, .atStep)
            if options.closing == .atStep, options.step == 0 { options.step = 300 }
        }
        if changes { options.onCancel = random.pick(.disarm, .release) }
        if changes { options.firesAgain = random.chance(50) }
        if changes { options.seesProgram = random.chance(50) }
        if changes { options.pullsAgain = random.chance(50) }
        if changes { options.minVisible = random.pick(0, 300, 2000) }
        if changes { options.successHold = random.pick(0, 400) }
        if changes { options.failureHold = random.pick(0, 1500) }
        if changes { options.coolDown = random.pick(0, 1000) }
        if changes { options.staleAfter = random.pick(0, 5000) }
        if changes { options.deadline = random.pick(nil, 1000, 40_000) }
        options.changes = random.pick(.ignore, .cue, .silent, .silent, .silent, .visible)
    }

    private mutating func floor(beyond options: RefreshOptions) -> FloorOptions? {
        guard random.chance(80) else { return nil }
        var floor = FloorOptions(length: options.length * 2)
        floor.velocity = random.pick(0, 1000)
        floor.closing = random.pick(1.0 / 6, 0.5, 1)
        floor.duration = random.pick(0, 300)
        floor.timeout = random.pick(0, 0, 2000)
        return floor
    }

    mutating func loadMore() -> LoadMoreOptions {
        var options = profile.loadMore
        if changes { options.isEnabled = random.chance(70) }
        if changes { options.trigger = random.pick(.release, .reach, .platform) }
        if changes { options.mode = random.pick(.user, .limit) }
        if changes { options.length = random.pick(60, 80, isExtreme ? 1e-6 : 1) }
        if changes { options.preload = random.pick(0, 30, 200) }
        if changes { options.preloadItems = random.pick(0, 3) }
        if changes { options.leadTime = random.pick(nil, 0, 200) }
        if changes { options.holdsInset = random.chance(50) }
        if changes { options.insetDuration = random.pick(0, 250) }
        if changes { options.rearm = random.pick(.content, .gesture) }
        if changes { options.needsApproach = random.chance(50) }
        if changes { options.onCancel = random.pick(.disarm, .release) }
        if changes { options.intents = random.pick(.all, .finger, [.fling, .wheel, .retry]) }
        if changes { options.whileRefreshing = random.pick(.cancel, .queue, .reject, .concurrent) }
        if changes { options.fillPagesMax = random.pick(0, 2, 5) }
        if changes { options.backOff = random.pick(0, 500) }
        if changes { options.backOffMax = random.pick(500, 2000) }
        if changes { options.asksAgain = random.chance(50) }
        if changes { options.deadline = random.pick(nil, 1000) }
        return options
    }
}
