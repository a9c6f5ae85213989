package import RefreshBroker

/// What stands behind a feed, by the kind of its backend.
package enum BackendSettings: Hashable, Sendable {
    /// The packages installed on this machine.
    case demo
    case file(FileSettings)
    case http(HTTPSettings)
    case sqlite(SQLiteOptions)
    /// The same of all feeds of a group.
    case exec(ExecOptions)
    /// Only with the feed's own name among `feeds`.
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
