internal import RefreshProtocol

/// The target of an admin path.
enum AdminTarget: Hashable {
    case sessions
    case session(String)
    case trace(String)
    case journal(String)
    case watch
    case cluster
    /// A path that begins like an admin path, but at which nothing is served.
    case nothing

    /// Returns nil if the path is not an admin path.
    init?(path: String) {
        if path.hasBytes(of: ServedPath.watch) {
            self = .watch
            return
        }
        if path.hasBytes(of: ServedPath.cluster) {
            self = .cluster
            return
        }
        if path.hasBytes(of: ServedPath.sessions) {
            self = .sessions
            return
        }
        guard path.utf8.starts(with: (ServedPath.sessions + "/").utf8) else { return nil }
        let parts = path.utf8.dropFirst(ServedPath.sessions.utf8.count + 1)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        switch parts.count {
        case 1 where !parts[0].isEmpty: self = .session(parts[0])
        case 2 where !parts[0].isEmpty && parts[1].hasBytes(of: "trace"): self = .trace(parts[0])
        case 2 where !parts[0].isEmpty && parts[1].hasBytes(of: "journal"):
            self = .journal(parts[0])
        default: self = .nothing
        }
    }

    /// The methods that the target supports.
    var methods: [String] {
        switch self {
        case .sessions, .session, .watch, .cluster, .nothing: ["GET", "HEAD"]
        case .trace, .journal: ["POST", "DELETE"]
        }
    }
}
