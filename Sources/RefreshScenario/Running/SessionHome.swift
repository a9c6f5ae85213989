internal import RefreshProtocol

/// What a client needs to come back to its session. Source: docs/protocol.md, "Coming back".
struct SessionHome {
    private var session: JSONValue?
    private var token: JSONValue?
    /// The largest that was told.
    private var ack = 0.0
    /// The last load of each view that items came of.
    private var received: [String: JSONValue] = [:]

    /// Notes what a message of the daemon says of it.
    mutating func take(_ message: JSONValue) {
        if let told = message["ack"]?.number { ack = max(ack, told) }
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

    /// The `resume` of `hello`; nil: no `welcome` has said where to.
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
