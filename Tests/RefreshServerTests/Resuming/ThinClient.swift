import RefreshProtocol

/// The state that a client keeps of its views, as docs/protocol.md, "Notes for the writers of
/// clients", advises.
struct ThinClient: Equatable {
    struct Edge: Equatable {
        var state = ""
        var progress = 0.0
        var cause: String?
        var indicator: [String: Double] = [:]
    }

    struct View: Equatable {
        var edges: [String: Edge] = [:]
        var insets: [String: Double] = [:]
        var floor: String?
        var list: String?
        var newer = false
        var lastUpdated: Double?
        /// The items of the list, in order.
        var items: [String] = []
        /// How often the items of each load were received.
        var received: [String: Int] = [:]
        var lastReceived: String?
    }

    private(set) var views: [String: View] = [:]
    /// The loads that the client has to perform and has not answered.
    private(set) var ownLoads: [String] = []

    /// The loads that the client names in `received` when it resumes.
    var received: [String] { views.values.compactMap(\.lastReceived).sorted() }

    mutating func apply(_ messages: [JSONValue]) {
        for message in messages { apply(message) }
    }

    private mutating func apply(_ message: JSONValue) {
        let name = message["view"]?.string ?? ""
        switch message["type"]?.string {
        case "attached":
            views[name, default: View()].edges = [:]
            merge(message, into: &views[name, default: View()])
        case "update": merge(message, into: &views[name, default: View()])
        case "items": applyItems(message, of: name)
        case "load":
            let load = message["load"]?.string ?? ""
            if !ownLoads.contains(load) { ownLoads.append(load) }
        case "loading":
            ownLoads.removeAll {
                $0 == message["load"]?.string && message["phase"]?.string != "began"
            }
        default: break
        }
    }

    /// Removes and returns the oldest of the client's own loads, because the client answers it.
    mutating func removeOwnLoad() -> String? { ownLoads.isEmpty ? nil : ownLoads.removeFirst() }

    private func merge(_ message: JSONValue, into view: inout View) {
        for name in ["top", "bottom"] {
            guard let fields = message[name], fields != .null else { continue }
            merge(fields, into: &view.edges[name, default: Edge()])
        }
        for name in ["top", "bottom"] {
            if let share = message["inset"]?[name]?.number { view.insets[name] = share }
            if view.insets[name] == 0 { view.insets[name] = nil }
        }
        if let floor = message["floor"]?["state"]?.string { view.floor = floor }
        if let list = message["list"] { view.list = list.text }
        if let newer = message["newer"]?.bool { view.newer = newer }
        if let time = message["lastUpdated"] { view.lastUpdated = time.number }
    }

    private func merge(_ fields: JSONValue, into edge: inout Edge) {
        if let state = fields["state"]?.string {
            edge.state = state
            edge.cause = nil
            edge.progress = 0
        }
        if let progress = fields["progress"]?.number { edge.progress = progress }
        if let cause = fields["cause"]?.string { edge.cause = cause }
        if case .object(let members) = fields["indicator"] {
            for member in members { edge.indicator[member.name] = member.value.number }
        }
        // An omitted parameter is equal to 0, or for `scale` equal to 1.
        edge.indicator = edge.indicator.filter { $0.value != ($0.key == "scale" ? 1 : 0) }
    }

    private mutating func applyItems(_ message: JSONValue, of name: String) {
        let load = message["load"]?.string ?? ""
        let items = (message["items"]?.array ?? []).map(\.text)
        if message["mode"]?.string == "replace" {
            views[name]?.items = items
        } else {
            views[name]?.items += items
        }
        views[name]?.received[load, default: 0] += 1
        views[name]?.lastReceived = load
    }
}
