/// The only line that the daemon writes to standard output: the daemon's addresses, as a JSON
/// object. Source: docs/operations.md, "The first line".
struct Announcement {
    let listeners: [BoundListener]

    var json: String {
        let objects = listeners.map { "{\(Self.fields(of: $0))}" }
        let first = listeners.first.map(Self.fields(of:)) ?? ""
        return "{\(first),\"listeners\":[\(objects.joined(separator: ","))]}"
    }

    /// Addresses and ports contain nothing that JSON escapes.
    private static func fields(of listener: BoundListener) -> String {
        "\"address\":\"\(listener.address)\",\"port\":\(listener.port),"
            + "\"url\":\"\(listener.isEncrypted ? "https" : "http")://\(listener.authority)/\""
    }
}

extension Server {
    /// The line from which scripts read the daemon's addresses. The text has no line break at its
    /// end.
    package var announcement: String { Announcement(listeners: listeners).json }
}
