internal import RefreshProtocol

/// The state a client needs to resume its session. Source: docs/protocol.md, "Coming back".
struct ResumeState {
    private var session: JSONValue?
    private var token: JSONValue?
    /// The largest `ack` received.
    private var ack = 0.0
    /// For each view, the last load that delivered items.
    private var received: [String: JSONValue] = [:]

    /// Updates the state from a message of the daemon.
    mutating func update(from message: JSONValue) {
        if let acknowledged = message["ack"]?.number { ack = max(ack, acknowledged) }
        switch message["type"]?.string {
        case "welcome":
            if message["resumed"] != .bool(true) {
                ack = 0
                received = [:]
            }
            session = message["session"]
            token = message["token"]
        case "items":
            if let view = message["view"]?.string { received[view] = message["load"] }
        default: break
        }
    }

    /// The `resume` of `hello`; nil if there was no `welcome` with a session and a token.
    var resume: JSONValue? {
        guard let session, let token else { return nil }
        var value = JSONValue.object([
            JSONValue.Member("session", session), JSONValue.Member("token", token),
            JSONValue.Member("ack", .number(ack)),
        ])
        let loads = received.sorted { $0.key < $1.key }.map(\.value)
        if !loads.isEmpty { value["received"] = .array(loads) }
        return value
    }
}
