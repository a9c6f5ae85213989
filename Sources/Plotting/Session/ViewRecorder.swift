import RefreshProtocol
internal import ScenarioKit

/// Records one view of a session as a client would show it.
struct ViewRecorder {
    private(set) var view: RecordedView
    private var received = ReceivedView()
    private var isFingerDown = false
    private var touchStart = 0.0
    /// Whether the client computes the progress of edges itself. The messages to such a client
    /// rarely contain the progress.
    private let isLocal: Bool
    /// The time up to which animations have been sampled.
    private var sampledUntil: Double

    /// The interval between two samples of an animation, in milliseconds.
    private static let frameMs = 1000.0 / 60
    /// The longest period over which an animation is sampled, in milliseconds. No command of a
    /// daemon takes longer, but a file can contain a longer animation.
    private static let longestAnimationMs = 10_000.0

    init(_ name: String, isLocal: Bool, at t: Double) {
        view = RecordedView(name)
        self.isLocal = isLocal
        sampledUntil = t
    }

    /// Samples running animations until `t`.
    mutating func advance(to t: Double) {
        let end = min(t, sampledUntil + Self.longestAnimationMs)
        while sampledUntil + Self.frameMs < end, isMoving(at: sampledUntil) {
            sampledUntil += Self.frameMs
            recordDisplay(at: sampledUntil)
        }
        if isMoving(at: sampledUntil) { recordDisplay(at: t) }
        sampledUntil = max(sampledUntil, t)
    }

    /// Advances to the time at which no animation runs any more, and returns this time.
    mutating func advanceToRest(after t: Double) -> Double {
        var end = t
        while isMoving(at: end), end < t + Self.longestAnimationMs { end += Self.frameMs }
        advance(to: end)
        return end
    }

    mutating func finish(at t: Double) {
        if isFingerDown { view.touches.append(touchStart...max(t, touchStart)) }
        isFingerDown = false
        recordDisplay(at: t)
    }

    private func isMoving(at t: Double) -> Bool {
        received.offset.isMoving(at: t) || received.insets.values.contains { $0.isMoving(at: t) }
    }

    mutating func applyClientMessage(_ type: String, _ message: JSONValue, at t: Double) {
        switch type {
        case "attach":
            view.profile = message["profile"]?.string ?? view.profile
            if let offset = message["offset"]?.number { received.offset.set(offset) }
            recordDisplay(at: t)
        case "scroll", "pan":
            if let offset = message["offset"]?.number { received.offset.set(offset) }
            recordPhase(message["phase"]?.string.flatMap(ScrollPhase.init), at: t)
            if isLocal { updateProgress(at: received.offset.value(at: t)) }
            recordDisplay(at: t)
        default: break
        }
    }

    private mutating func recordPhase(_ phase: ScrollPhase?, at t: Double) {
        guard let phase else { return }
        view.phases.appendChange(phase, at: t)
        let isDown =
            switch phase {
            case .began: true
            case .dragging: isFingerDown
            case .ended, .cancelled, .decelerating, .idle: false
            }
        if isDown, !isFingerDown { touchStart = t }
        if !isDown, isFingerDown { view.touches.append(touchStart...max(t, touchStart)) }
        isFingerDown = isDown
    }

    mutating func applyDaemonMessage(_ type: String, _ message: JSONValue, at t: Double) {
        switch type {
        case "attached":
            view.profile = message["profile"]?.string ?? view.profile
            received.applyAttached(message)
        case "update":
            // First, the display is recorded as it was before the update.
            recordDisplay(at: t)
            recordCommands(message, at: t)
            received.applyUpdate(message, movesList: true, at: t)
        default: return
        }
        recordEdges(at: t)
        sampledUntil = t
        recordDisplay(at: t)
    }

    private mutating func recordCommands(_ message: JSONValue, at t: Double) {
        if let command = message["inset"] {
            let shares = ReceivedView.edgeNames.compactMap { edge in
                command[edge]?.number.map { "\(edge) \(SVGNumber($0))" }
            }
            view.commands.append(
                RecordedView.Mark(
                    t: t, value: "inset \(shares.joined(separator: ", "))\(Self.time(command))"))
        }
        // An `offset` without a duration is only the answer to a `pan` sample, and not a command.
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

    private mutating func recordEdges(at t: Double) {
        for name in ReceivedView.edgeNames {
            guard let edge = received.edges[name] else { continue }
            let index: Int
            if let known = view.edgeIndex(name) {
                index = known
            } else {
                index = view.edges.count
                view.edges.append(RecordedView.Edge(name: name, isRefresh: edge.isRefresh))
            }
            view.edges[index].states.appendChange(edge.state, at: t)
            if let law = received.law.edges[name] {
                view.edges[index].threshold.appendChange(law?.arm, at: t)
            }
        }
        if !received.law.edges.isEmpty { view.rest.appendChange(received.law.rest, at: t) }
    }

    /// Records the current display.
    private mutating func recordDisplay(at t: Double) {
        let offset = received.offset.value(at: t)
        view.offset.append(RecordedView.Mark(t: t, value: offset))
        let shares = received.insetShares(at: t)
        for index in view.edges.indices {
            let name = view.edges[index].name
            view.edges[index].progress.append(
                RecordedView.Mark(t: t, value: progress(at: name)))
            view.edges[index].inset.append(RecordedView.Mark(t: t, value: shares[name] ?? 0))
        }
    }

    /// Returns the progress of the edge. In states without progress, this is 0. Source:
    /// docs/protocol.md, "update".
    private func progress(at name: String) -> Double {
        guard let edge = received.edges[name] else { return 0 }
        switch edge.state {
        case .eligible: return 1
        case .pulling, .approaching: return min(edge.progress, 1)
        case .idle, .triggered, .refreshing, .loading, .succeeded, .failed, .finishing, .noMore,
            .disabled:
            return 0
        }
    }

    /// Updates the progress of the edges for the list at `offset`, if the client has the control
    /// law. Source: docs/protocol.md, "What a local client shows".
    private mutating func updateProgress(at offset: Double) {
        let refresh = received.refreshEdge.flatMap { received.law.edges[$0] ?? nil }
        let isRefreshPulled = (refresh?.pullProgress(at: offset) ?? 0) > 0
        for case (let name, let law?) in received.law.edges {
            guard let edge = received.edges[name], edge.isRefresh || !isRefreshPulled else {
                continue
            }
            received.setProgress(min(law.pullProgress(at: offset), 1), at: name)
        }
    }

    mutating func recordLoadStart(_ id: LoadID, _ title: String, at t: Double) {
        view.loads.append(RecordedView.Load(id: id, title: title, began: t))
    }

    mutating func recordLoadEnd(_ id: LoadID, _ outcome: String, at t: Double) {
        guard let index = view.loads.lastIndex(where: { $0.id == id && $0.ended == nil })
        else { return }
        view.loads[index].ended = t
        view.loads[index].outcome = outcome
    }
}
