internal import RefreshProtocol

/// What a server has given a client to come back to its session with. Source: docs/protocol.md,
/// "Coming back".
struct ReplayCredentials {
    private var session: JSONValue?
    private var token: JSONValue?
    private var snapshot: JSONValue?

    /// Takes what a frame of the server gives.
    mutating func note(_ frame: String) {
        guard frame.contains("\"welcome\"") || frame.contains("\"sealed\""),
            let value = try? JSONValue(parsing: frame)
        else { return }
        for message in value.array ?? [value] {
            switch message["type"]?.string {
            case "welcome":
                session = message["session"]
                token = message["token"]
            case "snapshot": snapshot = message["sealed"]
            default: break
            }
        }
    }

    /// The `resume` of a recorded `hello`, as this server knows it. `load`: what a load is called
    /// now.
    func resume(_ recorded: JSONValue, load: (String) -> String?) -> JSONValue {
        var resume = recorded
        resume["session"] = session
        resume["token"] = token
        if recorded["snapshot"] != nil { resume["snapshot"] = snapshot }
        if let received = recorded["received"]?.array {
            resume["received"] = .array(
                received.map { name in name.string.flatMap(load).map(JSONValue.string) ?? name })
        }
        return resume
    }
}
