/// Every key that a log line may carry besides `time`, `level` and `message`.
/// Source: docs/logging.md.
package enum LogKey: String, CaseIterable, Sendable {
    /// A local address that connections are accepted on, with its port.
    case address
    /// A key of `backends`, or the name of a feed that has its backend for itself.
    case backend
    /// What a process ended with.
    case exitStatus
    /// The name of a feed.
    case feed
    /// The path of a file.
    case file
    /// How many files the process may open.
    case files
    /// The folder that sessions are recorded into.
    case folder
    /// The `Host` header of a request, as sent.
    case host
    /// A line of text, as a process wrote it.
    case line
    /// How many lines.
    case lines
    /// The index of an event loop, from 0.
    case loop
    /// How many event loops run.
    case loops
    /// How it was looked for who a client is.
    case mode
    /// The `Origin` header of a request, as sent.
    case origin
    /// The path of a request, as sent.
    case path
    /// The address of the other side.
    case peer
    /// The number of a process.
    case process
    /// Why, in a few words.
    case reason
    /// The name of a session, as its client knows it from `welcome`.
    case session
    /// How many sessions.
    case sessions
    /// The name of a signal.
    case signal
    /// An HTTP status.
    case status
    /// The configured name of a token.
    case token
    /// The version of the daemon.
    case version
    /// The name of a worker, as in `registered`.
    case worker

    /// For docs/logging.md.
    package var meaning: String {
        switch self {
        case .address: "local address and port that connections are accepted on"
        case .backend: "key of `backends`, or name of the feed that has its backend for itself"
        case .exitStatus: "exit status of a process"
        case .feed: "name of a feed"
        case .file: "path of a file"
        case .files: "how many files the process may open"
        case .folder: "folder that sessions are recorded into"
        case .host: "`Host` header of a request, as sent"
        case .line: "line of text, as a process wrote it"
        case .lines: "how many lines"
        case .loop: "index of an event loop, from 0"
        case .loops: "how many event loops run"
        case .mode: "`mode` of `auth`"
        case .origin: "`Origin` header of a request, as sent"
        case .path: "path of a request, as sent"
        case .peer: "address of the other side"
        case .process: "number of a process"
        case .reason: "why, in a few words"
        case .session: "name of a session, as in `welcome`"
        case .sessions: "how many sessions"
        case .signal: "name of a signal"
        case .status: "HTTP status"
        case .token: "configured name of a token"
        case .version: "version of the daemon"
        case .worker: "name of a worker, as in `registered`"
        }
    }
}
