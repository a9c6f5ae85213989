package import RefreshProtocol

/// The state of a view as received from the daemon: edges, insets, the offset of the list, and the
/// law.
package struct ReceivedView {
    package private(set) var edges: [String: ReceivedEdge] = [:]
    package private(set) var law = ClientLaw()
    package private(set) var floor = "closed"
    /// Whether the daemon evaluates only samples that move the list, so that a resting finger has
    /// no visible effect.
    package private(set) var evaluatesOnlyMovement = false
    package var insets: [String: AnimatedValue] = [:]
    package var offset = AnimatedValue(0)
    /// Whether the velocity of the list can cause the view to load more.
    package private(set) var hasLead = false

    package struct ReceivedEdge {
        package var isRefresh: Bool
        package var state: EdgeState
        package var progress = 0.0
    }

    package init() {}

    package static let edgeNames = ["top", "bottom", "leading", "trailing"]

    /// The name of the refresh edge.
    package var refreshEdge: String? { edges.first { $0.value.isRefresh }?.key }

    /// The name of the load-more edge.
    package var loadMoreEdge: String? { edges.first { !$0.value.isRefresh }?.key }

    package mutating func applyAttached(_ message: JSONValue) {
        for name in Self.edgeNames {
            guard let edge = message[name], let role = edge["role"]?.string else { continue }
            if edge["leadTime"]?.number != nil { hasLead = true }
            edges[name] = ReceivedEdge(
                isRefresh: role == "refresh",
                state: edge["state"]?.string.flatMap(EdgeState.init) ?? .idle)
        }
        for name in Self.edgeNames {
            if let share = message["inset"]?[name]?.number { insets[name] = AnimatedValue(share) }
        }
        evaluatesOnlyMovement = message["attention"]?.string == "movement"
        law = ClientLaw()
        applyLaw(message)
    }

    /// Applies an `update`. `movesList` states whether the offset in the message must be shown.
    /// `openEdge` is the edge whose room the client is already opening to the received value.
    package mutating func applyUpdate(
        _ message: JSONValue, movesList: Bool, openEdge: String? = nil, at t: Double
    ) {
        applyLaw(message)
        for name in Self.edgeNames { applyEdge(message[name], name) }
        if let state = message["floor"]?["state"]?.string { floor = state }
        let blend = message["blend"]?.number
        if let command = message["inset"] {
            for name in Self.edgeNames where name != openEdge {
                guard let share = command[name]?.number else { continue }
                animate(command, to: share, blend, in: &insets[name, default: AnimatedValue(0)], t)
            }
        }
        if movesList, let command = message["offset"], let to = command["to"]?.number {
            animate(command, to: to, blend, in: &offset, t)
        }
    }

    private func animate(
        _ command: JSONValue, to: Double, _ blend: Double?, in value: inout AnimatedValue,
        _ t: Double
    ) {
        let shown = value.value(at: t)
        value.animate(command, to: to, at: t)
        if let blend { value.blend(from: shown, at: t, duration: blend) }
    }

    private mutating func applyLaw(_ message: JSONValue) {
        guard let law = message["law"] else { return }
        self.law = ClientLaw(law, after: self.law)
        if self.law.edges.values.contains(where: { $0?.lead != nil }) { hasLead = true }
    }

    private mutating func applyEdge(_ change: JSONValue?, _ name: String) {
        guard let change, var edge = edges[name] else { return }
        if let state = change["state"]?.string.flatMap(EdgeState.init) {
            edge.state = state
            edge.progress = 0
        }
        if let progress = change["progress"]?.number { edge.progress = progress }
        edges[name] = edge
    }

    /// Sets the progress of an edge to a value that the client has computed itself.
    package mutating func setProgress(_ progress: Double, at name: String) {
        edges[name]?.progress = progress
    }

    package func insetShares(at t: Double) -> [String: Double] {
        insets.mapValues { $0.value(at: t) }
    }
}

/// The display of a view at one moment.
package struct DisplayState: Hashable, Sendable {
    /// The content offset, points.
    package var offset: Double
    /// The daemon's shares of the insets by edge, points.
    package var insets: [String: Double]
    package var edges: [String: Edge]
    package var floor: String

    package struct Edge: Hashable, Sendable {
        package var state: EdgeState
        /// The progress of the edge: 0...1 in a state with progress, and 0 in all other states.
        package var progress: Double
    }
}

/// A client of one view according to docs/protocol.md, "The control law". Its inputs are the
/// samples of the finger and the messages of the daemon. Its outputs are the messages to send and
/// the display.
package protocol ThinClient {
    /// Receives a message of the daemon about the view.
    mutating func receive(_ message: JSONValue, at t: Double)
    /// Processes a sample of the finger or the list. Returns the messages for the sample, which
    /// must be sent in one WebSocket frame.
    mutating func handleSample(_ sample: HandSample) -> [JSONValue]
    /// Processes a frame of the display in which the list does not move. Returns the messages to
    /// send.
    mutating func tick(at t: Double) -> [JSONValue]
    /// Returns `message`, preceded by the messages that must be sent before it.
    mutating func prepareMessage(_ message: JSONValue, at t: Double) -> [JSONValue]
    /// Returns the display at `t`.
    func display(at t: Double) -> DisplayState
    /// Returns whether a command moves the list at `t`.
    func isAnimating(at t: Double) -> Bool
    /// Whether the user moves the list, or it still moves after the user's movement.
    var isMoving: Bool { get }
}
