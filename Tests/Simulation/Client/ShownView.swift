import RefreshProtocol
import ScenarioKit

/// What a client shows of a view: the received messages, merged as docs/protocol.md specifies, and
/// the items of the accepted pages.
struct ShownView {
    /// The state of an edge according to the received messages.
    struct Edge: Equatable {
        var role: String
        var state: String
        var progress: Double?
        var result: String?
    }

    /// The state of a load that the client has received a `loading` message about.
    enum LoadState {
        case running
        /// The load ran when the connection was lost.
        case unsure
        case ended
        /// The load ended on an earlier connection.
        case past
    }

    struct List: Equatable {
        var count: Int
        var hasMore: Bool
    }

    static let edgeNames = ["top", "bottom", "leading", "trailing"]
    static let viewport = 400.0
    static let itemLength = 50.0

    let name: String
    let profile: String
    /// The feed of the view. If it is nil, the client itself is the backend.
    let feed: String?
    /// The value of the feed's parameter `owner`. If it is nil, the view shares its loads with
    /// other clients.
    let owner: String?
    var hand: ViewHand
    /// What the reader of a model list (`ModelList`) knows and shows. Nil for other feeds.
    var reader: ListReader?
    var edges: [String: Edge] = [:]
    var insets: [String: Double] = [:]
    var list: List?
    var hasNewer = false
    /// The numbers of the view's items, in the order of the accepted pages.
    var items: [Int] = []
    /// The last load whose items the client has received.
    var received: String?
    /// The time of the answer with the first item. Nil if it is not known.
    var answeredAt: Instant?
    var loads: [String: LoadState] = [:]
    /// The loads of this session whose items the client has accepted.
    var accepted: Set<String> = []
    var generation: Int?
    var isAttached = false

    var contentLength: Double {
        reader?.layout.length ?? Double(list?.count ?? items.count) * Self.itemLength
    }

    /// The offsets at which the list can rest, computed from the shown insets and content.
    var rest: ClosedRange<Double> {
        let first = -(insets["top"] ?? 0)
        let last = contentLength - Self.viewport + (insets["bottom"] ?? 0)
        return first...max(first, last)
    }

    /// The `attach` message of the view. `hello` contains the same object, without `seq`.
    func body(seq: Int?, at t: Double) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("type", .string("attach")), .init("view", .string(name)),
            .init("profile", .string(profile)), .init("geometry", geometry),
        ]
        if let offset = hand.describedOffset(at: t) {
            members.append(.init("offset", .number(offset)))
        }
        if let seq { members.append(.init("seq", .number(Double(seq)))) }
        if let feed { members.append(.init("feed", .string(feed))) }
        var parameters: [JSONValue.Member] = []
        if let owner { parameters.append(.init(SimulatedFeed.owner, .string(owner))) }
        if let reader {
            parameters += reader.parameters
            members += reader.members
        }
        if !parameters.isEmpty { members.append(.init("parameters", .object(parameters))) }
        return .object(members)
    }

    var geometry: JSONValue {
        func size(_ height: Double) -> JSONValue {
            .object([.init("width", .number(300)), .init("height", .number(height))])
        }
        return .object([
            .init("viewport", size(Self.viewport)), .init("content", size(contentLength)),
        ])
    }

    /// Clears the state of the view for a new session.
    /// `keepsLater`: see `ListReader.forget`.
    mutating func forget(hand: ViewHand, keepsLater: Bool = false) {
        self.hand = hand
        edges = [:]
        insets = [:]
        list = nil
        hasNewer = false
        items = []
        reader?.forget(keepsLater: keepsLater)
        received = nil
        answeredAt = nil
        loads = [:]
        accepted = []
        generation = nil
        isAttached = false
    }

    /// Removes the items, because the daemon's list has none.
    mutating func clear() {
        items = []
        reader?.clear()
    }

    /// Prepares the view for another connection of the same session.
    mutating func prepareToResume() {
        isAttached = false
        for (load, state) in loads {
            switch state {
            case .running, .unsure: loads[load] = .unsure
            case .ended, .past: loads[load] = .past
            }
        }
    }

    mutating func attach(_ message: JSONValue) {
        isAttached = true
        // `attached` does not repeat `newer` and `list`. The daemon sends these two members in an
        // `update` after `attached`, but only if there is newer data or a list. The view therefore
        // begins without them.
        hasNewer = false
        list = nil
        generation = message["generation"]?.number.map { Int($0) }
        edges = [:]
        for name in Self.edgeNames {
            guard let edge = message[name], let role = edge["role"]?.string else { continue }
            edges[name] = Edge(
                role: role, state: edge["state"]?.string ?? "?",
                progress: edge["progress"]?.number)
        }
    }

    mutating func update(_ message: JSONValue) {
        for name in Self.edgeNames {
            guard let change = message[name], var edge = edges[name] else { continue }
            if let state = change["state"]?.string {
                edge.state = state
                edge.progress = nil
                edge.result = nil
            }
            if let progress = change["progress"]?.number { edge.progress = progress }
            if let result = change["result"]?.string { edge.result = result }
            edges[name] = edge
        }
        if let inset = message["inset"] {
            for name in Self.edgeNames {
                if let share = inset[name]?.number { insets[name] = share }
            }
        }
        if let newer = message["newer"]?.bool { hasNewer = newer }
        if let reported = message["list"], let count = reported["count"]?.number {
            list = List(count: Int(count), hasMore: reported["more"]?.bool ?? false)
            // A count of 0 means that the list was reset. The client then clears its items.
            if count == 0 { clear() }
        }
    }
}
