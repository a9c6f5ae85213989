package import RefreshBroker
internal import RefreshProtocol

/// The settings of a feed's backend, by kind.
package enum BackendSettings: Hashable, Sendable {
    /// The packages installed on this machine.
    case demo
    case file(FileSettings)
    case http(HTTPSettings)
    case sqlite(SQLiteOptions)
    /// All feeds of a group have the same options.
    case exec(ExecOptions)
    /// Its `feeds` contain only the feed's own name.
    case worker(WorkerOptions)
    case script(ScriptOptions)

    package var kind: BackendKind {
        switch self {
        case .demo: .demo
        case .file: .file
        case .http: .http
        case .sqlite: .sqlite
        case .exec: .exec
        case .worker: .worker
        case .script: .script
        }
    }
}

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

/// The settings of a feed of kind `file`. Source: docs/backends.md, "file".
package struct FileSettings: Hashable, Sendable {
    /// The path as written in the configuration.
    package var path: String
    /// The folder of a relative `path`, which the path cannot leave.
    package var folder: String
    /// The format of the file; nil means that the path's extension determines it.
    package var format: FileFormat?
    /// The maximum size of the file in bytes. A larger file is not read.
    package var bytesMax = 67_108_864

    package init(path: String, folder: String, format: FileFormat? = nil) {
        self.path = path
        self.folder = folder
        self.format = format
    }
}

/// The settings of a feed of kind `http`. Source: docs/backends.md, "http".
package struct HTTPSettings: Hashable, Sendable {
    /// The template of the URL.
    package var url: String
    package var options: HTTPOptions

    package init(url: String, options: HTTPOptions = HTTPOptions()) {
        self.url = url
        self.options = options
    }

    /// Throws an error with the key of an invalid setting. Makes no request.
    func check(parameters: [FeedParameter]) throws(BackendConfigurationError) {
        try HTTPBackend.check(url: url, parameters: parameters.map(\.name), options: options)
    }
}
