package import RefreshBroker

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
