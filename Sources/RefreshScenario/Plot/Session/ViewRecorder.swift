import RefreshProtocol

/// Records one view of a session as a client would show it.
struct ViewRecorder {
    private(set) var view: RecordedView
    private var told = ToldView()
    private var isFingerDown = false
    private var touchedAt = 0.0
    /// Whether the client computes the progress of edges itself, so that few messages have it.
    private let isLocal: Bool
    /// The time up to which animations were sampled.
    private var seenUntil: Double

    /// The interval between two samples of an animation, in milliseconds.
    private static let frame = 1000.0 / 60
    /// The longest period over which an animation is sampled, in milliseconds. No command of a
    /// daemon takes longer, but a file may contain one.
    private static let longestMove = 10_000.0

    init(_ name: String, isLocal: Bool, at t: Double) {
        view = RecordedView(name)
        self.isLocal = isLocal
        seenUntil = t
    }

    /// Samples running animations until `t`.
    mutating func advance(to t: Double) {
        let end = min(t, seenUntil + Self.longestMove)
        while seenUntil + Self.frame < end, isMoving(at: seenUntil) {
            seenUntil += Self.frame
            look(at: seenUntil)
        }
        if isMoving(at: seenUntil) { look(at: t) }
        seenUntil = max(seenUntil, t)
    }

    /// Advances until no animation runs, and returns that time.
    mutating func settle(after t: Double) -> Double {
        var end = t
        while isMoving(at: end), end < t + Self.longestMove { end += Self.frame }
        advance(to: end)
        return end
    }

    mutating func finish(at t: Double) {
        if isFingerDown { view.touches.append(touchedAt...max(t, touchedAt)) }
        isFingerDown = false
        look(at: t)
    }

    private func isMoving(at t: Double) -> Bool {
        told.offset.isMoving(at: t) || told.insets.values.contains { $0.isMoving(at: t) }
    }

    mutating func clientSaid(_ type: String, _ message: JSONValue, at t: Double) {
        switch type {
        case "attach":
            view.profile = message["profile"]?.string ?? view.profile
            if let offset = message["offset"]?.number { told.offset.set(offset) }
            look(at: t)
        case "scroll", "pan":
            if let offset = message["offset"]?.number { told.offset.set(offset) }
            take(message["phase"]?.string.flatMap(ScrollPhase.init), at: t)
            if isLocal { showProgress(at: told.offset.value(at: t)) }
            look(at: t)
        default: break
        }
    }

    private mutating func take(_ phase: ScrollPhase?, at t: Double) {
        guard let phase else { return }
        view.phases.note(phase, at: t)
        let isDown =
            switch phase {
            case .began: true
            case .dragging: isFingerDown
            case .ended, .cancelled, .decelerating, .idle: false
            }
        if isDown, !isFingerDown { touchedAt = t }
        if !isDown, isFingerDown { view.touches.append(touchedAt...max(t, touchedAt)) }
        isFingerDown = isDown
    }

    mutating func daemonSaid(_ type: String, _ message: JSONValue, at t: Double) {
        switch type {
        case "attached":
            view.profile = message["profile"]?.string ?? view.profile
            told.attach(message)
        case "update":
            // The view before the update.
            look(at: t)
            noteCommands(message, at: t)
            told.update(message, movesList: true, at: t)
        default: return
        }
        noteEdges(at: t)
        seenUntil = t
        look(at: t)
    }

    private mutating func noteCommands(_ message: JSONValue, at t: Double) {
        if let command = message["inset"] {
            let shares = ToldView.names.compactMap { edge in
                command[edge]?.number.map { "\(edge) \(SVGNumber($0))" }
            }
            view.commands.append(
                RecordedView.Mark(
                    t: t, value: "inset \(shares.joined(separator: ", "))\(Self.time(command))"))
        }
        // An answer to a finger of `pan` only has the current offset. It is not a command.
        if let command = message["offset"], let to = command["to"]?.number,
            command["path"] != nil || command["duration"]?.number ?? 0 > 0
        {
            view.commands.append(
                RecordedView.Mark(t: t, value: "offset to \(SVGNumber(to))\(Self.time(command))"))
        }
    }

    /// Returns the duration of a command as text.
    private static func time(_ command: JSONValue) -> String {
        let last = command["path"]?.array?.last?.array?.first?.number
        let duration = last ?? command["duration"]?.number ?? 0
        return duration > 0 ? " in \(SVGNumber(duration.rounded())) ms" : ""
    }

    private mutating func noteEdges(at t: Double) {
        for name in ToldView.names {
            guard let edge = told.edges[name] else { continue }
            let index: Int
            if let known = view.edgeIndex(name) {
                index = known
            } else {
                index = view.edges.count
                view.edges.append(RecordedView.Edge(name: name, isRefresh: edge.isRefresh))
            }
            view.edges[index].states.note(edge.state, at: t)
            if let law = told.law.edges[name] { view.edges[index].threshold.note(law?.arm, at: t) }
        }
        if !told.law.edges.isEmpty { view.rest.note(told.law.rest, at: t) }
    }

    /// Records what is shown.
    private mutating func look(at t: Double) {
        let offset = told.offset.value(at: t)
        view.offset.append(RecordedView.Mark(t: t, value: offset))
        let shares = told.shares(at: t)
        for index in view.edges.indices {
            let name = view.edges[index].name
            view.edges[index].progress.append(
                RecordedView.Mark(t: t, value: progress(at: name)))
            view.edges[index].inset.append(RecordedView.Mark(t: t, value: shares[name] ?? 0))
        }
    }

    /// Returns the progress in states that have one; it ends with the state. Source:
    /// docs/protocol.md, "update".
    private func progress(at name: String) -> Double {
        guard let edge = told.edges[name] else { return 0 }
        switch edge.state {
        case .eligible: return 1
        case .pulling, .approaching: return min(edge.progress, 1)
        case .idle, .triggered, .refreshing, .loading, .succeeded, .failed, .finishing, .noMore,
            .disabled:
            return 0
        }
    }

    /// Updates the progress of the edges for a client that has the law, with the list at `offset`.
    /// Source: docs/protocol.md, "What a local client shows".
    private mutating func showProgress(at offset: Double) {
        let refresh = told.refreshEdge.flatMap { told.law.edges[$0] ?? nil }
        let isRefreshPulled = (refresh?.pull(offset) ?? 0) > 0
        for case (let name, let law?) in told.law.edges {
            guard let edge = told.edges[name], edge.isRefresh || !isRefreshPulled else { continue }
            told.showProgress(min(law.pull(offset), 1), at: name)
        }
    }

    mutating func loadBegan(_ id: LoadID, _ title: String, at t: Double) {
        view.loads.append(RecordedView.Load(id: id, title: title, began: t))
    }

    mutating func loadEnded(_ id: LoadID, _ outcome: String, at t: Double) {
        guard let index = view.loads.lastIndex(where: { $0.id == id && $0.ended == nil })
        else { return }
        view.loads[index].ended = t
        view.loads[index].outcome = outcome
    }
}
