import RefreshProtocol
import ScenarioKit

/// What a client shows of a view: what it was told, merged as docs/protocol.md says, and the items
/// that it got.
struct ShownView {
    /// What a client knows of an edge.
    struct Edge: Equatable {
        var role: String
        var state: String
        var progress: Double?
        var result: String?
    }

    /// How a load that the client was told of stands.
    enum LoadStand {
        case running
        /// It ran when the connection was lost.
        case unsure
        case ended
        /// It ended on an earlier connection.
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
    /// Nil: the client is the backend.
    let feed: String?
    /// The value of the feed's parameter; nil: it shares its loads.
    let owner: String?
    var hand: ViewHand
    var edges: [String: Edge] = [:]
    var insets: [String: Double] = [:]
    var list: List?
    var hasNewer = false
    /// The numbers of its items, by the pages that it accepted.
    var items: [Int] = []
    /// The last load that it has items of.
    var received: String?
    var loads: [String: LoadStand] = [:]
    /// Loads whose items it has, of this session.
    var accepted: Set<String> = []
    var generation: Int?
    var isAttached = false

    var contentLength: Double { Double(list?.count ?? items.count) * Self.itemLength }

    /// The offsets at which the list rests, by what is shown.
    var rest: ClosedRange<Double> {
        let first = -(insets["top"] ?? 0)
        let last = contentLength - Self.viewport + (insets["bottom"] ?? 0)
        return first...max(first, last)
    }

    /// The body of `attach`.
    func body(seq: Int?, at t: Double) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("type", .string("attach")), .init("view", .string(name)),
            .init("profile", .string(profile)), .init("geometry", geometry),
            .init("offset", .number(hand.offset(at: t))),
        ]
        if let seq { members.append(.init("seq", .number(Double(seq)))) }
        if let feed { members.append(.init("feed", .string(feed))) }
        if let owner {
            members.append(
                .init(
                    "parameters", .object([.init(SimulatedFeed.owner, .string(owner))])))
        }
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

    /// Nothing is known any more: the session is another one.
    mutating func forget(hand: ViewHand) {
        self.hand = hand
        edges = [:]
        insets = [:]
        list = nil
        hasNewer = false
        items = []
        received = nil
        loads = [:]
        accepted = []
        generation = nil
        isAttached = false
    }

    /// The connection is another one, and the session the same.
    mutating func comeBack() {
        isAttached = false
        for (load, stand) in loads {
            switch stand {
            case .running, .unsure: loads[load] = .unsure
            case .ended, .past: loads[load] = .past
            }
        }
    }

    mutating func attach(_ message: JSONValue) {
        isAttached = true
        // What is not told anew does not hold.
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
        if let told = message["list"], let count = told["count"]?.number {
            list = List(count: Int(count), hasMore: told["more"]?.bool ?? false)
            // The list was reset: what is shown is the client's to clear.
            if count == 0 { items = [] }
        }
    }
}
