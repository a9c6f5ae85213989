/// All keys of a log line except `time`, `level` and `message`. Source: docs/logging.md.
package enum LogKey: String, CaseIterable, Sendable {
    /// The local address of a listener, with its port.
    case address
    /// A key of `backends`, or the name of a feed that does not share its backend.
    case backend
    /// Why an edge changed its state.
    case cause
    /// The name that a client gives itself.
    case client
    /// The number of open files that clients may use.
    case clientFiles
    /// The code of a fault, or the code with which a connection was closed.
    case code
    /// The role of an edge.
    case edge
    /// The exit status of a process.
    case exitStatus
    /// The name of a feed.
    case feed
    /// The path of a file.
    case file
    /// The number of files that the process may open.
    case files
    /// The folder that sessions are recorded into.
    case folder
    /// The mode in which a client draws: `frames` of `hello`.
    case frames
    /// The previous state of an edge.
    case from
    /// The `Host` header of a request, as sent.
    case host
    /// The kind of a load: `refresh` or `more`.
    case kind
    /// A line of text, as a process wrote it.
    case line
    /// A number of lines.
    case lines
    /// The identifier of a load.
    case load
    /// The index of an event loop, from 0.
    case loop
    /// The number of event loops.
    case loops
    /// A duration.
    case milliseconds
    /// How clients are authenticated: `mode` of `auth`.
    case mode
    /// The new value of an option, without secrets.
    case new
    /// The name of a node of the cluster, and its identity in parentheses.
    case node
    /// The old value of an option, without secrets.
    case old
    /// A key of the configuration, as in `limits.sessionsMax`.
    case option
    /// The `Origin` header of a request, as sent.
    case origin
    /// The path of a request, as sent.
    case path
    /// The address of the peer.
    case peer
    /// The id of a process.
    case process
    /// A short reason.
    case reason
    /// The result of a load.
    case result
    /// The sequence number of a message.
    case seq
    /// The name of a session, as in `welcome`.
    case session
    /// A number of sessions.
    case sessions
    /// The name of a signal.
    case signal
    /// An HTTP status.
    case status
    /// The subject of a client, if it is authenticated.
    case subject
    /// The new state of an edge.
    case to
    /// The configured name of a token.
    case token
    /// The type of a message.
    case type
    /// The version of the daemon.
    case version
    /// The name of a view.
    case view
    /// The name of a worker, as in `registered`.
    case worker

    /// The description of the key in docs/logging.md.
    package var meaning: String {
        switch self {
        case .address: "local address and port of a listener"
        case .backend: "key of `backends`, or name of a feed with its own backend"
        case .cause: "why the state of an edge changed, as in `update`"
        case .client: "name that a client gives itself, as in `hello`"
        case .clientFiles: "how many of the `files` may be used for clients"
        case .code: "code of a fault, or of the end of a connection"
        case .edge: "role of an edge: `refresh` or `loadMore`"
        case .exitStatus: "exit status of a process"
        case .feed: "name of a feed"
        case .file: "path of a file"
        case .files: "how many files the process may open"
        case .folder: "folder into which sessions are recorded"
        case .frames: "how a client draws, as in `hello`"
        case .from: "previous state, if it is known"
        case .host: "`Host` header of a request, as sent"
        case .kind: "kind of a load: `refresh` or `more`"
        case .line: "line of text, as a process wrote it"
        case .lines: "number of lines"
        case .load: "identifier of a load"
        case .loop: "index of an event loop, from 0"
        case .loops: "number of event loops"
        case .milliseconds: "duration"
        case .mode: "`mode` of `auth`"
        case .new: "current value, without its secrets"
        case .node: "name of a node of the cluster, and its identity in parentheses"
        case .old: "previous value, without its secrets"
        case .option: "key of the configuration, as in `limits.sessionsMax`"
        case .origin: "`Origin` header of a request, as sent"
        case .path: "path of a request, as sent"
        case .peer: "address of the peer"
        case .process: "number of a process"
        case .reason: "reason, in a few words"
        case .result: "result of a load"
        case .seq: "sequence number of a message"
        case .session: "name of a session, as in `welcome`"
        case .sessions: "number of sessions"
        case .signal: "name of a signal"
        case .status: "HTTP status"
        case .subject: "subject of a client, if it is authenticated"
        case .to: "new state"
        case .token: "configured name of a token"
        case .type: "type of a message"
        case .version: "version of the daemon"
        case .view: "name of a view, as in `attach`"
        case .worker: "name of a worker, as in `registered`"
        }
    }
}
