internal import RefreshProtocol

/// The kinds of backends that a configuration knows, and the keys that each understands.
/// Source: docs/backends.md.
package enum BackendKind: String, CaseIterable, Sendable {
    case demo, file, http, sqlite, exec, worker, script

    /// The keys of how the broker treats a backend, for all its feeds together.
    static let policyKeys = ["calls", "queue", "retry", "breaker"]

    /// What a feed of this kind may say.
    var feedKeys: [String] {
        var keys = ["backend"]
        if self != .demo { keys += ["paging", "first"] }
        keys.append("size")
        if takesParameters { keys.append("parameters") }
        if takesHeaders { keys.append("forward") }
        return keys + ["shared", "cache", "coolDownMs", "itemKey"] + ownKeys
    }

    /// What holds for a backend as a whole: with a feed only if that feed has it for itself.
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

    /// Every key of this kind.
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

    /// Whether clients may give values to what stands behind it.
    var takesParameters: Bool { self != .demo && self != .file }

    /// Whether clients may give it headers.
    var takesHeaders: Bool { self == .http || self == .exec || self == .worker }

    var pagingStyles: [PagingStyle] {
        switch self {
        case .http, .exec, .worker: PagingStyle.allCases
        case .demo, .file, .sqlite, .script: [.page, .offset, .cursor]
        }
    }
}
