import RefreshEngine
import RefreshIndicator
import RefreshProtocol

/// Merges the messages of the daemon, or the effects of an engine, into what a view shows.
extension ViewState {
    // MARK: Messages

    mutating func attach(_ message: JSONValue) {
        isAttached = true
        refusal = nil
        loads = []
        paging = message["paging"]
        rowPlaces = RowPlaces(paging)
        sectionKey = message["sectionKey"]?.string.flatMap { JSONPointer($0) }
        floor = .closed
        floorProgress = nil
        edges = [:]
        for edge in Edge.allCases {
            guard let settings = message[edge.rawValue],
                let role = settings["role"]?.string.flatMap(EdgeRole.init)
            else { continue }
            var shown = ShownEdge(role: role)
            shown.merge(settings)
            edges[edge] = shown
            if insets[edge] == nil { insets[edge] = Motion(at: 0) }
        }
    }

    mutating func applyEdges(_ message: JSONValue) {
        for edge in edges.keys {
            if let change = message[edge.rawValue] { edges[edge]?.merge(change) }
        }
    }

    mutating func applyInset(_ command: JSONValue?, at now: Double, blend: Double?) {
        guard let command else { return }
        for edge in Edge.allCases {
            guard let share = command[edge.rawValue]?.points else { continue }
            insets[edge] = Motion(
                from: insets[edge]?.value(at: now) ?? 0, to: share, start: now,
                duration: command["duration"]?.duration ?? 0, curve: Self.curve(command))
        }
    }

    mutating func applyOffset(_ command: JSONValue, at now: Double) {
        guard let target = command["to"]?.points else { return }
        let present = offset.value(at: now)
        let path = command["path"]?.array?.compactMap { key -> Motion.Key? in
            guard let pair = key.array, pair.count == 2, let time = pair[0].duration,
                let value = pair[1].points
            else { return nil }
            return Motion.Key(time: time, value: value)
        }
        let motion = Motion(
            from: present, to: target, start: now, duration: command["duration"]?.duration ?? 0,
            curve: Self.curve(command), path: path ?? [])
        let isPath = !(path ?? []).isEmpty
        offset =
            isPath
            ? motion.continued(from: present, at: now, blend: ViewMachine.blendMs) : motion
    }

    private static func curve(_ command: JSONValue) -> Curve {
        command["curve"]?.string.flatMap(Curve.init) ?? .easeInOut
    }

    mutating func applyValues(_ message: JSONValue, view: String) -> [ClientEvent] {
        if let list = message["list"] {
            count = list["count"]?.count
            // Without a list, the old one is shown until the next one is there.
            if let count, count > 0 { rows?.resize(to: count) }
            hasMore = list["more"]?.bool
        }
        if let value = message["newer"]?.bool { hasNewer = value }
        if let value = message["newerCount"] { newerCount = value.count }
        if let value = message["away"]?.bool { isAway = value }
        if let value = message["lastUpdated"] { lastUpdated = value.number }
        if let value = message["floor"] {
            floor = value["state"]?.string.flatMap(FloorState.init) ?? floor
            floorProgress = value["progress"]?.number
        }
        var events = (message["haptic"]?.array ?? []).compactMap { cue in
            cue.string.flatMap(Haptic.init).map { ClientEvent.haptic($0, view: view) }
        }
        events += (message["announce"]?.array ?? []).compactMap { cue in
            SpokenCue.allCases.first { "\($0.key)" == cue.string }
                .map { .announce($0, view: view) }
        }
        if let result = message["revealed"]?.string.flatMap(RevealResult.init) {
            events.append(.revealed(result, view: view))
        }
        return events
    }

    mutating func applyLoad(_ message: JSONValue, view: String) -> [ClientEvent] {
        guard let load = message["load"]?.string else { return [] }
        let phase = message["phase"]?.string
        switch (message["type"]?.string, phase) {
        case ("items", _):
            loads.removeAll { $0 == load }
            let page = message["items"]?.array ?? []
            switch message["mode"]?.string {
            case "append": items += page
            case "prepend": items = page + items
            default: replaceItems(by: message, page)
            }
            return [.itemsReceived(count: page.count, view: view)]
        case ("load", _):
            begin(load)
            return [.load(LoadTask(message, load: load, view: view))]
        case (_, "began"): begin(load)
        case (_, "failed"), (_, "cancelled"), (_, "timedOut"):
            loads.removeAll { $0 == load }
            let result = phase.flatMap(LoadResult.init) ?? .failed
            return [
                .loadFailed(
                    result, code: message["code"]?.string, message: message["message"]?.string,
                    view: view)
            ]
        default: break
        }
        return []
    }

    private mutating func begin(_ load: String) {
        loads.removeAll { $0 == load }
        loads.append(load)
    }

    /// Ends a load that the client itself performs.
    mutating func end(_ load: String) { loads.removeAll { $0 == load } }

    /// Takes over the values that only the daemon changes.
    mutating func copyContent(of state: ViewState) {
        isAttached = state.isAttached
        refusal = state.refusal
        items = state.items
        rows = state.rows
        sectionKey = state.sectionKey
        loads = state.loads
        count = state.count
        hasMore = state.hasMore
        hasNewer = state.hasNewer
        newerCount = state.newerCount
        lastUpdated = state.lastUpdated
    }

    /// Lets the values continue from those of `state`, so that nothing jumps.
    mutating func continueValues(of state: ViewState, at now: Double, blend: Double) {
        offset = offset.continued(from: state.offset.value(at: now), at: now, blend: blend)
        for (edge, inset) in insets {
            guard let shown = state.insets[edge] else { continue }
            insets[edge] = inset.continued(from: shown.value(at: now), at: now, blend: blend)
        }
        for (edge, shown) in edges {
            guard let before = state.edges[edge], before.indicator != shown.indicator else {
                continue
            }
            edges[edge]?.blend = IndicatorBlend(
                origin: before.indicator(at: now), start: now, duration: blend)
        }
    }

    // MARK: Effects

    mutating func apply(_ effect: Effect, layout: ViewLayout, at now: Double) {
        switch effect {
        case .showEdge(let role, let state, let progress, let cause, let result):
            var shown = ShownEdge(role: role)
            shown.state = state
            shown.progress = state.hasProgress ? progress : nil
            shown.cause = cause
            shown.result = result
            shown.indicator = PlainSpinner.frame(state, progress: progress)
            edges[layout.edge(of: role)] = shown
        case .showFloor(let state, let progress):
            floor = state
            floorProgress = state == .pulling || state == .eligible ? progress : nil
        case .setInset(let command):
            for role in EdgeRole.allCases {
                guard let share = command[role] else { continue }
                let edge = layout.edge(of: role)
                insets[edge] = Motion(
                    from: insets[edge]?.value(at: now) ?? 0, to: share, start: now,
                    duration: command.timeline.duration, curve: command.timeline.curve)
            }
        case .moveContent(let command): move(by: command, at: now)
        default: break
        }
    }

    private mutating func move(by command: OffsetCommand, at now: Double) {
        let present = offset.value(at: now)
        switch command.movement {
        case .glide(let target, let timeline):
            offset = Motion(
                from: present, to: target, start: now, duration: timeline.duration,
                curve: timeline.curve)
        case .flight(let flight):
            let path = FlightPath(flight).map { Motion.Key(time: $0.time, value: $0.offset) }
            offset = Motion(
                from: present, to: flight.rest, start: now, duration: flight.duration,
                curve: .linear, path: path
            ).continued(from: present, at: now, blend: ViewMachine.blendMs)
        }
    }
}

extension ShownEdge {
    /// Merges the received members. A new state removes the values of the earlier state.
    mutating func merge(_ change: JSONValue) {
        if let state = change["state"]?.string.flatMap(EdgeState.init) {
            self.state = state
            cause = nil
            result = nil
            progress = nil
        }
        if let value = change["progress"]?.number { progress = value }
        if let value = change["cause"]?.string { cause = Cause(rawValue: value) }
        if let value = change["result"]?.string { result = LoadResult(rawValue: value) }
        guard case .object? = change["indicator"], let frame = change["indicator"] else { return }
        blend = nil
        if let value = frame["progress"]?.number { indicator.progress = value }
        if let value = frame["alpha"]?.number { indicator.alpha = value }
        if let value = frame["scale"]?.number { indicator.scale = value }
        if let value = frame["rotation"]?.number { indicator.rotation = value }
        if let value = frame["spin"]?.number { indicator.spin = value }
    }
}

extension EdgeState {
    /// Whether the state has a progress.
    var hasProgress: Bool { self == .pulling || self == .eligible || self == .approaching }
}

extension LoadTask {
    fileprivate init(_ message: JSONValue, load: String, view: String) {
        self.init(
            id: load, view: view,
            kind: message["kind"]?.string.flatMap(LoadKind.init) ?? .refresh,
            page: message["page"]?.count ?? 0, offset: message["offset"]?.count ?? 0,
            size: message["size"]?.count ?? 0, cursor: message["cursor"]?.string,
            deadlineMs: message["deadlineMs"]?.number)
    }
}
