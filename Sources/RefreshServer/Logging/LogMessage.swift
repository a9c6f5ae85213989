package import RefreshConfiguration

/// All messages that the daemon logs. The text is fixed, so that it can be searched for and
/// counted; variable parts are metadata.
///
/// The raw value of each case is its text. Source: docs/logging.md. A test checks that the table
/// there is current.
package enum LogMessage: String, CaseIterable, Sendable {
    case starting
    case listening
    case startFailed = "start failed"
    case halfLocalhost = "localhost has one address only"
    case fewOpenFiles = "few open files"
    case certificateRead = "certificate replaced"
    case recording = "sessions are recorded"
    case snapshotsEndWithProcess = "snapshots end with the process"
    case snapshotKeyMade = "snapshot key made"
    case keyOpenToOthers = "key file is open to others"
    case journalEnded = "journal ended early"
    case journalBegun = "journal begun"
    case journalClosed = "journal ended"
    case draining
    case drainTimedOut = "sessions did not close in time"
    case stopped
    case stoppedAtOnce = "stopped at once"
    case signalIgnored = "signal ignored"
    case reloaded
    case reloadRefused = "reload refused"
    case proxyNotConfigured = "proxy not configured"
    case originNotAllowed = "origin not allowed"
    case hostNotAllowed = "host not allowed"
    case upgradeRefused = "upgrade refused"
    case requestRefused = "request refused"
    case sessionOpened = "session opened"
    case sessionClosed = "session closed"
    case clientRefused = "client refused"
    case clientNotIdentified = "client not identified"
    case sessionDetached = "session detached"
    case sessionResumed = "session resumed"
    case sessionRebuilt = "session rebuilt"
    case sessionExpired = "session expired"
    case sessionShed = "session shed"
    case sessionLost = "session lost"
    case resumeRefused = "resume refused"
    case workerJoined = "worker joined"
    case workerLeft = "worker left"
    case workerDismissed = "worker dismissed"
    case workerRefused = "worker refused"
    case processStarted = "process started"
    case processNotStarted = "process not started"
    case processDismissed = "process dismissed"
    case processEnded = "process ended"
    case processDied = "process died"
    case workerSaid = "worker said"
    case linesLeftOut = "lines left out"
    case breakerOpened = "breaker opened"
    case breakerClosed = "breaker closed"
    case feedChanged = "feed changed"
    case streamOpened = "change stream connected"
    case streamClosed = "change stream ended"
    case streamFailed = "change stream failed"
    case streamStopped = "change stream stopped"
    case busConnected = "bus connected"
    case busDisconnected = "bus disconnected"
    case busFailed = "bus failed"
    case nodeJoined = "node joined"
    case nodeLeft = "node left"
    case fencingAvailable = "fencing available"
    case fencingUnavailable = "fencing unavailable"
    case cursorStalled = "cursor does not advance"
    case traceBegun = "trace begun"
    case traceEnded = "trace ended"
    case traceOpened = "trace opened"
    case traceGreeted = "trace greeted"
    case traceAttached = "trace attached"
    case traceReceived = "trace received"
    case traceTransition = "trace transition"
    case traceLoadBegan = "trace load began"
    case traceLoadEnded = "trace load ended"
    case traceFault = "trace fault"
    case traceDetached = "trace detached"
    case traceResumed = "trace resumed"
    case traceClosed = "trace closed"
    case libraryError = "libwebsockets error"
    case libraryWarning = "libwebsockets warning"

    /// The level of a message. The level is fixed, like the text.
    package var level: LogSettings.Level {
        switch self {
        case .startFailed: .critical
        case .journalEnded, .reloadRefused, .processNotStarted: .error
        case .drainTimedOut, .stoppedAtOnce, .halfLocalhost, .fewOpenFiles, .keyOpenToOthers,
            .proxyNotConfigured, .cursorStalled:
            .warning
        case .workerDismissed, .processDismissed, .processDied, .breakerOpened, .busDisconnected,
            .busFailed, .fencingUnavailable, .streamFailed:
            .warning
        case .listening, .recording, .journalBegun, .journalClosed, .draining, .stopped,
            .signalIgnored, .reloaded, .breakerClosed,
            .originNotAllowed, .hostNotAllowed, .snapshotsEndWithProcess, .snapshotKeyMade,
            .certificateRead,
            .busConnected,
            .nodeJoined, .nodeLeft, .fencingAvailable, .streamStopped:
            .notice
        // These messages are written only for traces that an operator has requested.
        case .traceBegun, .traceEnded, .traceOpened, .traceGreeted, .traceAttached,
            .traceReceived, .traceTransition, .traceLoadBegan, .traceLoadEnded, .traceFault,
            .traceDetached, .traceResumed, .traceClosed:
            .notice
        case .starting, .workerJoined, .workerLeft, .processStarted, .processEnded,
            .streamOpened, .streamClosed:
            .info
        case .upgradeRefused, .requestRefused, .sessionOpened, .sessionClosed, .clientRefused,
            .clientNotIdentified, .workerRefused, .feedChanged:
            .debug
        case .sessionDetached, .sessionResumed, .sessionRebuilt, .sessionExpired, .sessionShed,
            .sessionLost, .resumeRefused:
            .debug
        // A process can cause any number of these messages.
        case .workerSaid, .linesLeftOut: .debug
        // Peers can cause these messages, which must not fill a log.
        case .libraryError, .libraryWarning: .debug
        }
    }

    /// The description of the message in docs/logging.md.
    package var meaning: String {
        switch self {
        case .starting: "the configuration is valid"
        case .listening: "connections are accepted; one line per listener"
        case .startFailed: "the daemon exits; `reason` is the cause"
        case .halfLocalhost: "`localhost` was requested, but only `address` could be bound"
        case .fewOpenFiles:
            "the process may open only `files` files, and its clients may use `clientFiles` of "
                + "them, which is fewer than `connectionsMax` needs; see operations.md"
        case .certificateRead:
            "new connections use the new certificate in `file`; existing connections do not change"
        case .recording:
            "everything that clients send and receive is written to `folder`; see journal.md"
        case .snapshotsEndWithProcess:
            "the configuration has neither a key nor a folder in which a key could be stored, so "
                + "no session resumes after a restart; `option` is the key to set; see "
                + "configuration.md"
        case .snapshotKeyMade:
            "from now on, snapshots are encrypted with a new key, which is stored in `file`"
        case .keyOpenToOthers:
            "users other than its owner can read or write `file`, which contains a key"
        case .journalEnded:
            "the journal of `session` has ended, but the session continues; `reason` is the cause"
        case .journalBegun:
            "an operator started to record `session` into `file` in the journal folder; see "
                + "journal.md"
        case .journalClosed: "the journal `file`, which an operator requested, has ended"
        case .draining: "no new sessions are accepted; open ones are closed with 4100"
        case .drainTimedOut: "at the deadline, `sessions` sessions were open"
        case .stopped: "the daemon exits with status 0"
        case .stoppedAtOnce: "a second SIGTERM or SIGINT arrived while the daemon was stopping"
        case .signalIgnored: "SIGHUP arrived while the daemon was stopping"
        case .reloaded:
            "a new configuration is in effect: `option` was `old` and is `new`; one line per option"
        case .reloadRefused:
            "the configuration is unchanged because of a problem with `option`; `reason` is the "
                + "problem; one line per problem"
        case .proxyNotConfigured:
            "the requests of `peer` are refused: it is a proxy, but `auth` is not set and `peer` "
                + "is not in `proxies`; logged at most once a minute"
        case .originNotAllowed:
            "a web page of `origin` cannot open sessions, because the configuration key `option` "
                + "does not list this origin; logged at most once a minute by each event loop"
        case .hostNotAllowed:
            "a client that calls this daemon `host` cannot open sessions, because an address of "
                + "`option` is a loopback address: there, clients must use a loopback name with "
                + "the listener's port; logged at most once a minute by each event loop"
        case .upgradeRefused:
            "a WebSocket upgrade was refused; protocol.md describes the values of `status`"
        case .requestRefused:
            "an HTTP request was answered with 400: its `Host` is wrong, or it is not an upgrade"
        case .sessionOpened: "a WebSocket was accepted as a session"
        case .sessionClosed: "a session's connection has ended"
        case .clientRefused:
            "the client of `session` receives `unauthorized`; `reason` is the cause"
        case .clientNotIdentified:
            "the client of `session` receives `authUnavailable`; `reason` is the cause"
        case .sessionDetached:
            "the session has no connection, and waits for its client for `resumeWindowMs`"
        case .sessionResumed: "the client has resumed the session, on this `loop`"
        case .sessionRebuilt: "the client has restored the session from a sealed snapshot"
        case .sessionExpired:
            "the client did not resume the session in time, or the session was evicted"
        case .sessionShed:
            "the session was closed with 4102 and has ended, because memory was short"
        case .sessionLost:
            "another node of the cluster holds the session, or its client has ended it there"
        case .resumeRefused:
            "a client could not resume and has the new session `session`; protocol.md describes "
                + "the values of `reason`"
        case .workerJoined: "`worker` has registered with `token`"
        case .workerLeft: "the connection of `worker` has ended"
        case .workerDismissed:
            "`worker` is disconnected because of its messages; `reason` is the cause"
        case .workerRefused:
            "a connection at `/v1/worker` is closed before its worker has registered"
        case .processStarted: "`process` of `backend` has started"
        case .processNotStarted:
            "the system could not start a process of `backend`; `reason` is the cause; the daemon "
                + "tries again"
        case .processDismissed:
            "`process` of `backend` is killed because of an invalid or missing message; `reason` "
                + "is the cause"
        case .processEnded:
            "`process` of `backend` has ended because the daemon requested it, with `exitStatus` "
                + "or by `signal`"
        case .processDied:
            "`process` of `backend` has ended, but the daemon did not request it; `line` is the "
                + "last line of its standard error"
        case .workerSaid: "`process` of `backend` wrote `line` to standard error"
        case .linesLeftOut:
            "`process` of `backend` wrote too much to standard error in one second; the number of "
                + "lines that are missing in the log is `lines`"
        case .breakerOpened: "`backend` failed too often; calls to it are suspended for a while"
        case .breakerClosed: "`backend` answered again; calls to it are no longer suspended"
        case .cursorStalled:
            "a page of `feed` for `session` had no new items and the same cursor as the "
                + "previous page, so the list ends there; logged at most once a minute per loop"
        case .feedChanged:
            "a worker, a request or another node reported that `feed` has newer data"
        case .streamOpened: "the stream of changes of `feed` is open"
        case .streamClosed:
            "the server has ended the stream of changes of `feed`; the daemon connects again"
        case .streamFailed:
            "the stream of changes of `feed` could not be opened, or was lost; `reason` is the "
                + "cause; the daemon connects again"
        case .streamStopped:
            "the server has no changes of `feed` to report; the daemon does not connect again"
        case .busConnected: "the bus of the cluster is connected, by the server `address`"
        case .busDisconnected:
            "the connection to the bus was lost, and the daemon works without it until it is "
                + "connected again; `reason` is the cause"
        case .busFailed:
            "the bus cannot be connected, or has dropped messages; `reason` is the cause"
        case .nodeJoined: "`node` has joined the cluster; its name is followed by its identity"
        case .nodeLeft: "`node` has left the cluster, or was lost"
        case .fencingAvailable: "a session is held by one node of the cluster at a time"
        case .fencingUnavailable:
            "two nodes of the cluster can hold one session until JetStream is available again; "
                + "`reason` is the cause"
        case .traceBegun:
            "an operator has started a trace of `session`: its events are logged until "
                + "`trace ended`"
        case .traceEnded: "an operator has ended the trace of `session`"
        case .traceOpened: "traced: `peer` opened a new session"
        case .traceGreeted: "traced: the client sent `hello`, with the value `frames`"
        case .traceAttached: "traced: `view` is attached"
        case .traceReceived: "traced: a message of `type` arrived, with `seq`"
        case .traceTransition: "traced: `edge` of `view` entered the state `to`"
        case .traceLoadBegan: "traced: `load` of `view` began"
        case .traceLoadEnded: "traced: `load` of `view` ended with `result`"
        case .traceFault: "traced: the client received the fault `code`"
        case .traceDetached:
            "traced: the connection has ended, and the session waits for its client"
        case .traceResumed: "traced: the client has resumed the session"
        case .traceClosed:
            "traced: the session and its trace have ended, with `code` if the daemon ended it"
        case .libraryError:
            "an error of the WebSocket library; `reason` is its text; peers can cause it"
        case .libraryWarning: "a warning of the WebSocket library; `reason` is its text"
        }
    }
}
