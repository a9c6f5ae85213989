import RefreshProtocol

/// Follows one view of a recorded session, as a client that shows what it is told would.
struct ViewRecorder {
    private(set) var view: RecordedView
    private var told = ToldView()
    private var isFingerDown = false
    private var touchedAt = 0.0
    /// Whether the client finds by itself how far an edge is pulled, and is told little of it.
    private let isLocal: Bool
    /// Until when what moves was looked at.
    private var seenUntil: Double

    /// Milliseconds between two looks at what moves.
    private static let frame = 1000.0 / 60
    /// So long what moves is looked at again and again where nobody says anything, milliseconds: no
    /// command of a daemon takes longer, but a file may say so.
    private static let longestMove = 10_000.0

    init(_ name: String, isLocal: Bool, at t: Double) {
        view = RecordedView(name)
        self.isLocal = isLocal
        seenUntil = t
    }

    /// Looks at what moves by itself until `t`.
    mutating func advance(to t: Double) {
        let end = min(t, seenUntil + Self.longestMove)
        while seenUntil + Self.frame < end, isMoving(at: seenUntil) {
            seenUntil += Self.frame
            look(at: seenUntil)
        }
        if isMoving(at: seenUntil) { look(at: t) }
        seenUntil = max(seenUntil, t)
    }

    /// When nothing moves any more, soon after `t`.
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
            // Before it moves.
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
        // An answer to a finger that the daemon moves the list for is no more than where it is.
        if let command = message["offset"], let to = command["to"]?.number,
            command["path"] != nil || command["duration"]?.number ?? 0 > 0
        {
            view.commands.append(
                RecordedView.Mark(t: t, value: "offset to \(SVGNumber(to))\(Self.time(command))"))
        }
    }

    /// How long it takes.
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

    /// Writes down what is shown.
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

    /// With the states that have one: it lapses with them. Source: docs/protocol.md, "update".
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

    /// So far a client that has the law shows the edges pulled where the list is at `offset`.
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
