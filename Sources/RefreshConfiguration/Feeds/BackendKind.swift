internal import RefreshProtocol

/// The kinds of backends that can be configured, and the keys of each. Source: docs/backends.md.
package enum BackendKind: String, CaseIterable, Sendable {
    case demo, file, http, sqlite, exec, worker, script

    /// The keys of the broker's policy for a backend, shared by all its feeds.
    static let policyKeys = ["calls", "queue", "retry", "breaker"]

    /// The keys that a feed of this kind may set.
    var feedKeys: [String] {
        var keys = ["backend"]
        if self != .demo { keys += ["paging", "first"] }
        keys.append("size")
        if acceptsParameters { keys.append("parameters") }
        if acceptsHeaders { keys.append("forward") }
        return keys + ["shared", "cache", "coolDownMs", "itemKey"] + ownKeys
    }

    /// The keys of the backend as a whole. A feed may set them only if it does not share its
    /// backend.
    var backendKeys: [String] {
        switch self {
        case .demo, .file, .http, .sqlite, .script: Self.policyKeys
        case .exec:
            Self.policyKeys + [
                "command", "folder", "environment", "processes", "loadsPerProcess", "lineBytesMax",
                "graceMs", "restartBaseMs", "restartCapMs",
            ]
        case .worker: Self.policyKeys + ["lineBytesMax"]
        }
    }

    /// All keys of this kind.
    var keys: [String] { feedKeys + backendKeys }

    private var ownKeys: [String] {
        switch self {
        case .demo, .exec, .worker: []
        case .file: ["path", "format", "bytesMax"]
        case .http:
            [
                "url", "method", "body", "headers", "items", "more", "next", "total",
                "nextParameter", "etag", "redirects", "http2", "ca", "proxy", "connectTimeoutMs",
                "totalTimeoutMs", "responseBytesMax",
            ]
        case .sqlite: ["path", "query", "count", "after", "timeoutMs", "responseBytesMax"]
        case .script: ["steps", "then"]
        }
    }

    /// Whether clients may pass parameters to the backend.
    var acceptsParameters: Bool { self != .demo && self != .file }

    /// Whether clients may pass headers to the backend.
    var acceptsHeaders: Bool { self == .http || self == .exec || self == .worker }

    var pagingStyles: [PagingStyle] {
        switch self {
        case .http, .exec, .worker: PagingStyle.allCases
        case .demo, .file, .sqlite, .script: [.page, .offset, .cursor]
        }
    }
}
