import RefreshEngine
import RefreshProtocol
import Testing

/// Drives one engine and requires an assertion for everything. The test fails if an effect is not
/// expected before the next event, or if a load is in flight at the end. The test states the time
/// of each event.
struct EngineTester: ~Copyable {
    private(set) var engine: Engine
    private(set) var now = Instant(milliseconds: 1000)
    private var pending: [Effect] = []
    /// The reasons why the last request was ignored. They are asserted separately from the effects,
    /// because they change nothing.
    private(set) var ignored: [DiagnosticCode] = []
    private var loads: [LoadID] = []
    private let location: SourceLocation

    init(
        _ options: ViewOptions = .iq(), _ geometry: GeometryChange = .sizes(),
        offset: Double? = nil,
        at location: SourceLocation = #_sourceLocation
    ) {
        engine = Engine(
            generation: 1, options: options, geometry: geometry, offset: offset)
        self.location = location
    }

    deinit {
        if !pending.isEmpty {
            Issue.record(
                "these effects were never asserted: \(texts(pending))", sourceLocation: location)
        }
        if !loads.isEmpty {
            Issue.record("these loads are still in flight: \(loads)", sourceLocation: location)
        }
    }

    /// Passes `event` to the engine, `delay` milliseconds after the last one.
    mutating func send(
        _ event: Event, after delay: Double = 16, at location: SourceLocation = #_sourceLocation
    ) {
        expectNothing(at: location)
        now = now.advanced(byMilliseconds: delay)
        engine.handle(event, at: now, into: &pending)
        ignored = pending.compactMap { effect in
            if case .ignore(let code) = effect { code } else { nil }
        }
        pending.removeAll { effect in
            if case .ignore = effect { true } else { false }
        }
        for effect in pending {
            switch effect {
            case .startLoad(let order) where order.source == .lookUp: break
            case .startLoad(let order): loads.append(order.id)
            case .endLoad(let load, _, _), .endPage(let load, _, _): loads.removeAll { $0 == load }
            default: break
            }
        }
    }

    mutating func delayChange(count: Int? = nil) {
        engine.delayChange(count: NewerCount(count))
    }

    /// Tells the engine that its client has the feature `unread`.
    mutating func setUnread(_ isUsed: Bool = true) { engine.setUnread(isUsed) }

    /// Tells the engine that its client has features.
    mutating func keepPlace() { engine.keepsPlace = true }

    mutating func withdrawInsets(clientHasStart start: Double, end: Double) {
        engine.withdrawInsets(clientHasStart: start, end: end)
    }

    /// Lets time pass up to the next deadline.
    mutating func passDeadline(at location: SourceLocation = #_sourceLocation) {
        guard let deadline = engine.nextDeadline else {
            Issue.record("no deadline is set", sourceLocation: location)
            return
        }
        send(.timePassed, after: deadline.milliseconds(since: now), at: location)
    }

    /// Expects exactly these effects since the last event, in this order.
    mutating func expect(_ expected: String..., at location: SourceLocation = #_sourceLocation) {
        expect(expected, at: location)
    }

    mutating func expect(_ expected: [String], at location: SourceLocation = #_sourceLocation) {
        let actual = texts(pending)
        pending.removeAll()
        #expect(actual == expected, sourceLocation: location)
    }

    mutating func expectNothing(at location: SourceLocation = #_sourceLocation) {
        let actual = texts(pending)
        pending.removeAll()
        #expect(actual == [], "these effects were not asserted", sourceLocation: location)
    }

    func expect(
        top: RefreshPhase, bottom: LoadMorePhase = .idle,
        at location: SourceLocation = #_sourceLocation
    ) {
        let (refresh, loadMore) = (engine.refresh.phase, engine.loadMore.phase)
        #expect(refresh == top, sourceLocation: location)
        #expect(loadMore == bottom, sourceLocation: location)
    }

    /// Drops the effects of a preparation. Another test asserts these effects.
    mutating func skip() { pending.removeAll() }

    /// Returns the effects since the last event, for a test that asserts some of them.
    mutating func take() -> [String] {
        defer { pending.removeAll() }
        return texts(pending)
    }

    private borrowing func texts(_ effects: [Effect]) -> [String] {
        effects.map { $0.text(at: now) }
    }
}
