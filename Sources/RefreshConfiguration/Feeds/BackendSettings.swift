package import RefreshBackends
internal import RefreshBroker

/// The settings of a feed's backend, by kind.
package enum BackendSettings: Hashable, Sendable {
    /// The packages installed on this machine.
    case demo
    /// The demo's list of uploads. A configuration file cannot name this backend.
    case uploads
    /// A list of the demo that clients edit. A configuration file cannot name this backend.
    case demoList(DemoListBackend.Kind)
    /// The demo's log. A configuration file cannot name this backend.
    case demoLog
    case file(FileSettings)
    case http(HTTPSettings)
    case sqlite(SQLiteOptions)
    /// Child processes serve the feed. All feeds of a group have the same options.
    case exec(ExecOptions)
    /// Connected workers serve the feed. The member `feeds` of the options contains only the feed's
    /// own name.
    case worker(WorkerOptions)
    case script(ScriptOptions)

    package var kind: BackendKind {
        switch self {
        case .demo, .uploads, .demoList, .demoLog: .demo
        case .file: .file
        case .http: .http
        case .sqlite: .sqlite
        case .exec: .exec
        case .worker: .worker
        case .script: .script
        }
    }
}

/// The kinds of backends that can be configured. Source: docs/backends.md.
package enum BackendKind: String, CaseIterable, Sendable {
    case demo, file, http, sqlite, exec, worker, script

    /// The table of the configuration keys for this kind.
    var table: FeedTable {
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

/// The settings of a feed of kind `file`. Source: docs/backends.md, "file".
package struct FileSettings: Hashable, Sendable {
    /// The path as written in the configuration.
    package var path: String
    /// The folder in which a relative `path` starts. Such a path cannot leave the folder.
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

    /// Checks the settings without sending a request. For an invalid setting, throws an error with
    /// its key.
    func check(parameters: [FeedParameter]) throws(BackendConfigurationError) {
        try HTTPBackend.check(url: url, parameters: parameters.map(\.name), options: options)
    }
}
