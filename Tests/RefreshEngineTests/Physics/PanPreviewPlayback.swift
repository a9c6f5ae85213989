import RefreshProtocol

@testable import RefreshEngine

/// One view that is panned at random, with a client that performs the engine's commands. Reports
/// the first check that fails.
struct PanPreviewPlayback {
    /// How often each case occurred. A run proves nothing about a case that does not occur in it.
    struct Tally {
        var caughtFlights = 0
        var caughtGlides = 0
        var changedFlights = 0
        var changedHolds = 0
        var refreshes = 0
        var mores = 0
        var moresInFlight = 0
        var floors = 0

        mutating func add(_ other: Tally) {
            caughtFlights += other.caughtFlights
            caughtGlides += other.caughtGlides
            changedFlights += other.changedFlights
            changedHolds += other.changedHolds
            refreshes += other.refreshes
            mores += other.mores
            moresInFlight += other.moresInFlight
            floors += other.floors
        }
    }

    private(set) var breach: String?
    private(set) var tally = Tally()
    private var random: SeededGenerator
    private var engine: Engine
    private var now = Instant(milliseconds: 1000)
    private var client: PanClient
    /// The finger's travel along the physical axis, as the client counts it.
    private var travel = 0.0
    private var loads: [LoadID] = []
    private var effects: [Effect] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        var options = random.chance(50) ? ViewOptions.iq() : Self.plain
        options.layout = ViewLayout(axis: .vertical, isReversed: random.chance(40))
        options.pan = Self.pan(&random)
        options.refresh?.trigger = random.pick(.release, .reach)
        options.refresh?.isFloating = random.chance(15)
        if random.chance(20) { options.refresh?.floor = FloorOptions(length: 150) }
        if random.chance(20) { options.refresh?.intents = .all }
        options.loadMore?.mode = random.pick(.limit, .limit, .user)
        options.loadMore?.leadTime = random.pick(nil, 200)
        if random.chance(10) { options.refresh = nil }
        if random.chance(10) { options.loadMore = nil }
        engine = Engine(
            generation: 1, options: options,
            geometry: .sizes(content: random.pick(300, 1000, 2000), top: random.pick(0, 47.67)),
            offset: nil)
        client = PanClient(at: engine.physicalOffset)
        // After the first touch only the engine moves the list.
        send(.panned(PanSample(translation: 0, phase: .began)))
        send(.panned(PanSample(translation: 0, phase: .ended)))
    }

    private static var plain: ViewOptions {
        ViewOptions(
            profile: .default, paging: PagingOptions(style: .page, first: 1, size: 10),
            isClientBacked: false, limits: Limits())
    }

    private static func pan(_ random: inout SeededGenerator) -> PanOptions {
        var pan = PanOptions()
        pan.damping = random.pick(
            .none, .uiscrollview, .smartRefreshLayout, .swipeRefreshLayout, .compose, .flutter)
        pan.maximumPull = random.pick(nil, nil, 90, 250)
        pan.rate = random.pick(.normal, .fast)
        return pan
    }

    /// Lets a random time pass, calls the engine at each deadline, and then sends one event.
    mutating func step() {
        pass(Double.random(in: 0...random.pick(20, 60, 500, 3000), using: &random))
        guard breach == nil else { return }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<62: pan()
        case 62..<72: send(.geometryChanged(geometry()))
        case 72..<76: send(.refreshRequested(cause: .code, animated: true))
        case 76..<90: endLoad()
        case 90..<94:
            send(
                .edgesConfigured(
                    refresh: engine.options.refresh, loadMore: engine.options.loadMore,
                    pan: Self.pan(&random)))
        case 94..<97 where engine.options.refresh?.floor != nil:
            send(.floorRequested(isOpen: random.chance(50)))
        default: send(.timePassed)
        }
    }

    /// Lifts the finger, ends the loads, and checks that the list comes to rest within its range.
    mutating func finish() {
        if engine.dragAnchor != nil {
            send(.panned(PanSample(translation: travel, phase: .cancelled)))
        }
        while let load = loads.first, breach == nil {
            send(.loadEnded(load, LoadEnding(.failed)))
        }
        if engine.floor.ownsList { send(.floorRequested(isOpen: false)) }
        pass(60_000)
        guard engine.ownsPhysics, breach == nil else { return }
        check(engine.nextDeadline == nil, "a deadline remains at the end: \(engine.deadlines)")
        let range = engine.scrollRange
        let beyond = max(range.lowerBound - engine.offset, engine.offset - range.upperBound)
        check(beyond <= Engine.restingTolerance, "the list rests out of range: \(engine)")
        check(engine.gesture.phase == .resting, "the gesture is \(engine.gesture.phase) at the end")
    }

    private mutating func pan() {
        guard engine.dragAnchor != nil else {
            travel = 0
            return send(.panned(PanSample(translation: 0, phase: .began)))
        }
        if random.chance(75) { travel += Double.random(in: -120...120, using: &random) }
        let phase: ScrollPhase = random.pick(
            .dragging, .dragging, .dragging, .ended, .ended, .cancelled, .began)
        if phase == .began { travel = 0 }
        let velocity = random.pick(
            0, 5, 300, -300, Double.random(in: -6000...6000, using: &random))
        send(.panned(PanSample(translation: travel, phase: phase, velocity: velocity)))
    }

    private mutating func geometry() -> GeometryChange {
        var change = GeometryChange()
        switch Int.random(in: 0..<4, using: &random) {
        case 0: change.insets = EdgeInsets(top: random.pick(0, 20, 88), bottom: random.pick(0, 34))
        case 1: change.viewport = SizeChange(width: 390, height: random.pick(600, 800))
        default: change.content = SizeChange(width: 390, height: random.pick(300, 1000, 2000, 4000))
        }
        return change
    }

    private mutating func endLoad() {
        guard let load = loads.first else { return }
        let result: LoadResult = random.pick(.success, .success, .empty, .failed, .cancelled)
        send(.loadEnded(load, LoadEnding(result, count: result == .success ? 10 : 0, more: true)))
    }

    /// Lets `pause` milliseconds pass, and calls the engine at every deadline.
    private mutating func pass(_ pause: Double) {
        let end = now.advanced(byMilliseconds: pause)
        while breach == nil, let deadline = engine.nextDeadline, deadline <= end {
            now = max(deadline, now)
            send(.timePassed)
            let next = engine.nextDeadline ?? .never
            check(next > now, "a deadline of \(next) is not after \(now)")
        }
        now = end
    }

    private mutating func send(_ event: Event) {
        let before = engine
        let (shown, speed) = (client.offset(at: now), client.velocity(at: now))
        effects.removeAll()
        engine.handle(event, at: now, into: &effects)
        for effect in effects {
            switch effect {
            case .moveContent(let command): client.play(command, at: now)
            case .startLoad(let order):
                loads.append(order.id)
                if order.kind == .more, before.flight != nil { tally.moresInFlight += 1 }
                if order.kind == .more { tally.mores += 1 } else { tally.refreshes += 1 }
            case .endLoad(let load, _, _): loads.removeAll { $0 == load }
            default: break
            }
        }
        count(event, before)
        checkOffset(event, before, shown: shown)
        checkSpeed(event, before, speed: speed)
        checkEngine()
        guard let found = breach else { return }
        breach = "\(found)\n  event \(event)\n  effects \(effects)\n  before \(before)"
    }

    private mutating func count(_ event: Event, _ before: Engine) {
        if case .panned(let sample) = event, sample.phase == .began {
            if before.flight != nil { tally.caughtFlights += 1 }
            if case .gliding(let glide) = before.motion, now < glide.end { tally.caughtGlides += 1 }
        }
        switch event {
        case .geometryChanged, .edgesConfigured:
            if before.flight != nil, before.flight != engine.flight { tally.changedFlights += 1 }
            if before.dragAnchor != nil { tally.changedHolds += 1 }
        default: break
        }
        if before.floor != .open, engine.floor == .open { tally.floors += 1 }
    }

    private mutating func check(_ holds: Bool, _ message: String) {
        if !holds, breach == nil { breach = message }
    }

    private mutating func checkOffset(_ event: Event, _ before: Engine, shown: Double) {
        let jump = abs(client.offset(at: now) - shown)
        // Commands are rounded to hundredths, and a flight skips the last half point at its end.
        var allowed = before.flight.map { $0.end <= now } == true ? 0.51 : 0.006
        switch event {
        case .panned(let sample) where before.dragAnchor != nil && sample.phase != .began:
            // The list moves at most as far as the finger, plus the part of the overshoot that is
            // lost (see `DragAnchorTests`).
            guard case .held(_, let old) = before.motion else { return }
            allowed += 2 * abs(sample.translation - old)
        case .geometryChanged where before.dragAnchor == nil && before.flight == nil:
            // A list at rest stays at its edge.
            return
        case .geometryChanged where before.loadMore.isPageLanding && engine.geometry.isMirrored:
            // When a page is inserted before the visible content, the content stays in place on the
            // screen, and the offset changes.
            return
        default: break
        }
        check(jump <= allowed, "the list jumped by \(jump) from \(shown)")
    }

    private mutating func checkSpeed(_ event: Event, _ before: Engine, speed: Double) {
        guard let flight = engine.flight, flight != before.flight, flight.start == now else {
            return
        }
        switch event {
        case .panned(let sample) where sample.phase == .ended:
            let velocity = engine.geometry.mirrored(distance: sample.velocity)
            check(
                flight.velocity * velocity >= 0 && abs(flight.velocity) <= 2 * abs(velocity),
                "the flight after a release at \(velocity) has velocity \(flight.velocity)")
        case .panned:
            check(
                flight.velocity == 0, "the flight after a release has velocity \(flight.velocity)")
        default:
            let new = engine.geometry.mirrored(distance: flight.velocity)
            guard new == 0 else {
                let old = before.flight == nil ? 0 : speed
                return check(abs(new - old) <= 1e-6, "the velocity changed from \(speed) to \(new)")
            }
            // A list that moves imperceptibly slowly, or that lies farther beyond its edge than the
            // limit, is stopped.
            let beyond = max(flight.lower - flight.origin, flight.origin - flight.upper)
            check(
                abs(speed) < Flight.speedMin || beyond > flight.limit || before.flight == nil,
                "the list stopped abruptly from \(speed)")
        }
    }

    /// Checks that the engine and the client agree, and that the engine is consistent.
    private mutating func checkEngine() {
        let computed = engine.geometry.mirrored(engine.currentOffset(at: now))
        let shown = client.offset(at: now)
        check(
            abs(computed - shown) <= (engine.motion == nil ? 0.51 : 0.011),
            "the engine computes \(computed), the client shows \(shown)")
        check(
            engine.dragAnchor == nil || engine.gesture.isFingerDown,
            "the list is held without a finger")
        check(
            (engine.flight == nil) == (engine.deadlines.settle == .never),
            "the deadline of the flight is wrong")
        guard let flight = engine.flight else { return }
        check(flight.lower...flight.upper == engine.scrollRange, "the flight has another range")
    }
}

/// The place at which a client shows its list if it performs all commands.
struct PanClient {
    private var command: OffsetCommand
    private var origin: Double

    init(at offset: Double) {
        origin = offset
        command = OffsetCommand(target: offset, timeline: .immediately(.origin))
    }

    mutating func play(_ command: OffsetCommand, at now: Instant) {
        origin = offset(at: now)
        self.command = command
    }

    func offset(at now: Instant) -> Double {
        switch command.movement {
        case .flight(let flight): return flight.offset(at: now)
        case .glide(let target, let timeline):
            guard timeline.duration > 0 else { return target }
            let time = now.milliseconds(since: timeline.start) / timeline.duration
            return origin + (target - origin) * timeline.curve.fraction(at: time)
        }
    }

    /// Points per second; 0 for a glide.
    func velocity(at now: Instant) -> Double {
        switch command.movement {
        case .flight(let flight): flight.velocity(at: now)
        case .glide: 0
        }
    }
}
