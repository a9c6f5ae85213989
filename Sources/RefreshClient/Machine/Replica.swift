import RefreshEngine
import RefreshProtocol

/// The client's own engine of one view. It receives the same events as the engine of the daemon, so
/// that it can continue when there is no connection. Source: docs/engine.md.
///
/// A load of the replica never ends by itself: it waits until the daemon reports its end.
struct Replica: Hashable, Sendable {
    private(set) var engine: Engine
    /// By the daemon's identifier, the kind of each running load.
    private var loads: [String: LoadKind] = [:]

    /// The time at which `timePassed` must be called.
    var nextDeadline: Instant? { engine.nextDeadline }
    var layout: ViewLayout { engine.options.layout }

    /// Creates the engine of the view with this body of `attach`; nil if the body is not valid.
    init?(body: JSONValue, hasFeatures: Bool) {
        var message = body
        message["type"] = .string("attach")
        message["seq"] = .number(1)
        guard case .attach(_, let attach)? = Self.decode(message) else { return nil }
        let known = Profile.paging
        var options = ViewOptions(
            profile: Profile(rawValue: attach.profile) ?? .default, layout: attach.layout,
            paging: PagingOptions(
                style: attach.paging?.style ?? known.style,
                first: attach.paging?.first ?? known.first,
                size: attach.paging?.size ?? known.size),
            isClientBacked: attach.feed == nil, limits: Limits())
        options.attention = attach.attention ?? options.attention
        options.playsHaptics = attach.haptics ?? options.playsHaptics
        options.announces = attach.announcements ?? options.announces
        do throws(Fault) {
            try options.apply(Self.withoutIndicators(attach.edges))
            try options.pan.apply(attach.pan)
        } catch {
            return nil
        }
        // The pages in sight are requested by the daemon.
        if attach.paging?.access == .random { options.loadMore?.isEnabled = false }
        Self.removeTimeLimits(&options)
        engine = Engine(
            generation: 1, options: options, geometry: attach.geometry,
            offset: attach.offset ?? attach.geometry.offset)
        engine.keepsPlace = hasFeatures
    }

    /// Handles a message that the client sends about the view, or would send if it were connected.
    mutating func handle(_ message: JSONValue, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        for event in events(of: message) { engine.handle(event, at: now, into: &effects) }
        return effects
    }

    /// Handles an event.
    mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        engine.handle(event, at: now, into: &effects)
        return effects
    }

    private func events(of message: JSONValue) -> [Event] {
        switch message["type"]?.string {
        case "scroll", "pan": return sampleEvent(of: message).map { [$0] } ?? []
        default: break
        }
        guard let decoded = Self.decode(message) else { return [] }
        switch decoded {
        case .geometry(_, let change): return [.geometryChanged(change)]
        case .refresh(_, let cause, let animated):
            return [.refreshRequested(cause: cause, animated: animated)]
        case .begin(_, let animated): return [.indicatorShowRequested(animated: animated)]
        case .end(_, let animated): return [.indicatorHideRequested(animated: animated)]
        case .loadMore(_, let cause): return [.loadMoreRequested(cause: cause)]
        case .retry(_, let edge): return [.retryRequested(role(of: edge))]
        case .cancel(_, let edge): return [.cancelRequested(role(of: edge))]
        case .reset(_, let edge): return [.resetRequested(role(of: edge))]
        case .floor(_, let isOpen): return [.floorRequested(isOpen: isOpen)]
        case .appear: return [.appeared]
        case .disappear: return [.disappeared]
        case .enable(_, let edge, let enabled):
            return layout.roles(of: edge).map { .edgeEnabled($0, enabled) }
        case .loadBegan(_, let load, let accepted):
            return current(load).map { [.loadBegan($0, accepted: accepted)] } ?? []
        case .loadFinished(_, let report):
            guard let load = current(report.load) else { return [] }
            let ending = LoadEnding(
                report.result, count: report.count, more: report.more, cursor: report.cursor)
            return [.loadEnded(load, ending)]
        case .configure(_, let edges, _, let pan, _): return configuration(edges, pan: pan)
        default: return []
        }
    }

    private func role(of edge: Edge?) -> EdgeRole? { edge.flatMap { layout.roles(of: $0).first } }

    private func sampleEvent(of message: JSONValue) -> Event? {
        guard let phase = message["phase"]?.string.flatMap(ScrollPhase.init) else { return nil }
        let cause = message["cause"]?.string.flatMap(Cause.init) ?? .finger
        let velocity = message["velocity"]?.number ?? 0
        if let translation = message["translation"]?.number {
            return .panned(
                PanSample(
                    translation: translation, phase: phase, velocity: velocity, cause: cause,
                    offset: message["offset"]?.number))
        }
        guard let offset = message["offset"]?.number else { return nil }
        return .scrolled(
            ScrollSample(offset: offset, phase: phase, velocity: velocity, cause: cause))
    }

    private func configuration(_ edges: EdgeSettings, pan: [OptionSetting] = []) -> [Event] {
        var options = engine.options
        do throws(Fault) {
            try options.apply(Self.withoutIndicators(edges))
            try options.pan.apply(pan)
        } catch {
            return []
        }
        Self.removeTimeLimits(&options)
        let isUnchanged = options == engine.options
        return isUnchanged
            ? []
            : [
                .edgesConfigured(
                    refresh: options.refresh, loadMore: options.loadMore, pan: options.pan)
            ]
    }

    // MARK: The daemon's messages

    /// Takes over the options that the daemon uses, from `attached`.
    mutating func configure(by attached: JSONValue, at now: Instant) {
        var message = JSONValue.object([
            .init("type", .string("configure")), .init("seq", .number(1)),
            .init("view", .string("v")),
        ])
        let names = Set(OptionField.allCases.map(\.wireName)).subtracting(["indicator"])
        for edge in Edge.allCases {
            guard case .object(let members)? = attached[edge.rawValue] else { continue }
            message[edge.rawValue] = .object(members.filter { names.contains($0.name) })
        }
        guard case .configure(_, let edges, _, _, _)? = Self.decode(message) else { return }
        for event in configuration(edges) { _ = handle(event, at: now) }
    }

    /// Handles a message of the daemon about a load.
    mutating func observeLoad(_ message: JSONValue, at now: Instant) {
        guard let load = message["load"]?.string else { return }
        switch (message["type"]?.string, message["phase"]?.string) {
        case ("load", _), ("loading", "began"):
            let kind = message["kind"]?.string.flatMap(LoadKind.init) ?? .refresh
            loads[load] = kind
            let cause = message["cause"]?.string.flatMap(Cause.init) ?? .code
            guard cause.mayBeSent || cause == .retry || cause == .fill else { return }
            begin(kind, because: cause, at: now)
        // Operations on live items belong to no load.
        case ("items", _) where message["operations"] != nil: break
        case ("items", _):
            let isFirst = ["replace", "patch"].contains(message["mode"]?.string)
            let kind = loads.removeValue(forKey: load) ?? (isFirst ? .refresh : .more)
            let count = message["count"]?.count ?? 0
            let ending = LoadEnding(
                count > 0 ? .success : .empty, count: count, more: message["more"]?.bool,
                cursor: message["cursor"]?.string)
            begin(kind, because: .code, at: now)
            end(kind, ending, at: now)
        case ("loading", let phase?):
            guard let result = LoadResult(rawValue: phase),
                let kind = loads.removeValue(forKey: load)
            else { return }
            end(kind, LoadEnding(result), at: now)
        default: break
        }
    }

    /// Begins a load that the daemon has begun, if the replica has not begun it by itself.
    private mutating func begin(_ kind: LoadKind, because cause: Cause, at now: Instant) {
        for cause in [cause, .code] where load(of: kind) == nil {
            let event: Event =
                kind == .refresh
                ? .refreshRequested(cause: cause, animated: true)
                : .loadMoreRequested(cause: cause)
            _ = handle(event, at: now)
        }
    }

    private mutating func end(_ kind: LoadKind, _ ending: LoadEnding, at now: Instant) {
        if let load = load(of: kind) { _ = handle(.loadEnded(load, ending), at: now) }
    }

    /// Ends the load of this kind as failed. Returns the effects; nil if there is no load.
    mutating func fail(_ kind: LoadKind, at now: Instant) -> [Effect]? {
        load(of: kind).map { handle(.loadEnded($0, LoadEnding(.failed)), at: now) }
    }

    private func load(of kind: LoadKind) -> LoadID? {
        kind == .refresh ? engine.refresh.load : engine.loadMore.load
    }

    /// The replica's identifier of the daemon's load.
    private func current(_ load: LoadID) -> LoadID? {
        loads[load.description].flatMap { self.load(of: $0) }
    }

    /// Makes the state of the edges that of the daemon, as far as loads and options decide it. The
    /// caller has checked that the daemon has handled all messages about the view.
    mutating func reconcile(with shown: ViewState, at now: Instant) {
        for (edge, state) in shown.edges {
            guard let mine = engine.edge(state.role), mine.state != state.state,
                layout.roles(of: edge).contains(state.role)
            else { continue }
            reconcile(state, from: mine.state ?? .idle, at: now)
        }
    }

    private mutating func reconcile(
        _ shown: ShownEdge, from mine: EdgeState, at now: Instant
    ) {
        let kind: LoadKind = shown.role == .refresh ? .refresh : .more
        let isBusy: Set<EdgeState> = [.triggered, .refreshing, .loading]
        if (shown.state == .disabled) != (mine == .disabled) {
            _ = handle(.edgeEnabled(shown.role, shown.state != .disabled), at: now)
        } else if isBusy.contains(shown.state), !isBusy.contains(mine), shown.result == nil {
            if shown.cause == .visual {
                _ = handle(.indicatorShowRequested(animated: false), at: now)
            } else {
                begin(kind, because: shown.cause ?? .code, at: now)
            }
        } else if isBusy.contains(mine), !isBusy.contains(shown.state) {
            if load(of: kind) != nil, shown.state != .noMore {
                end(kind, LoadEnding(.cancelled), at: now)
            } else if mine == .triggered {
                _ = handle(.cancelRequested(shown.role), at: now)
            }
        }
        if shown.state == .noMore, mine != .noMore {
            begin(kind, because: .code, at: now)
            end(kind, LoadEnding(.noMore), at: now)
        }
    }

    // MARK: Reading

    private static func decode(_ message: JSONValue) -> ClientMessage? {
        var limits = Limits()
        limits.frameBytesMax = 1 << 30
        limits.stringBytesMax = 1 << 30
        var decoder = MessageDecoder(limits: limits, features: .all)
        var position = FramePosition()
        var message = message
        // The name has no effect here, and can be one that the daemon refuses.
        message["view"] = .string("view")
        message["visible"] = nil
        let bytes = Array(message.text.utf8)
        guard case .message(let decoded) = decoder.next(in: bytes.span, at: &position) else {
            return nil
        }
        return decoded
    }

    /// The options without the indicators, which are not options of the engine.
    private static func withoutIndicators(_ settings: EdgeSettings) -> EdgeSettings {
        var settings = settings
        for edge in Edge.allCases {
            guard case .overrides(let overrides) = settings[edge] else { continue }
            settings[edge] = .overrides(overrides.filter { $0.field != .indicator })
        }
        return settings
    }

    /// Removes the time limits that only the daemon applies: loads end, and polls begin, only with
    /// a connection.
    private static func removeTimeLimits(_ options: inout ViewOptions) {
        options.loadDeadline = .max
        options.refresh?.deadline = nil
        options.refresh?.pollMs = 0
        options.loadMore?.deadline = nil
    }
}
