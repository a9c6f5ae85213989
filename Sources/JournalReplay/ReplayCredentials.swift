internal import RefreshProtocol

/// The credentials that a server has issued to a client. With them, the client resumes its session.
/// Source: docs/protocol.md, "Coming back".
struct ReplayCredentials {
    private var session: JSONValue?
    private var token: JSONValue?
    private var snapshot: JSONValue?

    /// Records the credentials in a frame from the server, if the frame has any.
    mutating func update(from frame: String) {
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

    /// Returns the `resume` of a recorded `hello` with the credentials that the server of the
    /// replay has issued. `load` returns the name that this server has assigned to a recorded load.
    func resumeWithCurrentCredentials(_ recorded: JSONValue, load: (String) -> String?) -> JSONValue
    {
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
