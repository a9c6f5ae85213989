/// All messages that the daemon logs. The text is fixed, so that it can be searched for and
/// counted; variable parts are metadata.
///
/// Raw values are the texts. Source: docs/logging.md; a test checks that its table is current.
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

    /// The level of a message, which is fixed too.
    package var level: LogSettings.Level {
        switch self {
        case .startFailed: .critical
        case .journalEnded, .reloadRefused, .processNotStarted: .error
        case .drainTimedOut, .stoppedAtOnce, .halfLocalhost, .fewOpenFiles, .keyOpenToOthers,
            .proxyNotConfigured, .cursorStalled:
            .warning
        case .workerDismissed, .processDismissed, .processDied, .breakerOpened:
            .warning
        case .listening, .recording, .journalBegun, .journalClosed, .draining, .stopped,
            .signalIgnored, .reloaded, .breakerClosed,
            .snapshotsEndWithProcess, .snapshotKeyMade, .certificateRead:
            .notice
        // Only if an operator requested the trace.
        case .traceBegun, .traceEnded, .traceOpened, .traceGreeted, .traceAttached,
            .traceReceived, .traceTransition, .traceLoadBegan, .traceLoadEnded, .traceFault,
            .traceDetached, .traceResumed, .traceClosed:
            .notice
        case .starting, .workerJoined, .workerLeft, .processStarted, .processEnded:
            .info
        case .upgradeRefused, .requestRefused, .sessionOpened, .sessionClosed, .clientRefused,
            .clientNotIdentified, .workerRefused, .feedChanged:
            .debug
        case .sessionDetached, .sessionResumed, .sessionRebuilt, .sessionExpired, .sessionShed,
            .resumeRefused:
            .debug
        // A process can write any number of them.
        case .workerSaid, .linesLeftOut: .debug
        // Peers can cause them, so they must not fill a log.
        case .libraryError, .libraryWarning: .debug
        }
    }

    /// The text for docs/logging.md.
    package var meaning: String {
        switch self {
        case .starting: "the configuration is valid"
        case .listening: "connections are accepted; one line a listener"
        case .startFailed: "the daemon exits; `reason` says why"
        case .halfLocalhost: "`localhost` was asked for, and only `address` could be bound"
        case .fewOpenFiles:
            "the process may open `files` only, of which clients may take `clientFiles`: fewer than "
                + "`connectionsMax` needs; see operations.md"
        case .certificateRead:
            "new connections see the certificate of `file`; those that stand keep theirs"
        case .recording:
            "all that clients send and are sent is written to `folder`; see journal.md"
        case .snapshotsEndWithProcess:
            "nothing says where a key is kept, so no session comes back after a restart; see configuration.md"
        case .snapshotKeyMade: "snapshots are sealed with a new key from now on, kept in `file`"
        case .keyOpenToOthers: "others than its owner can read or write `file`, which holds a key"
        case .journalEnded:
            "`session` goes on without its journal; `reason` says why"
        case .journalBegun:
            "an operator has `session` recorded into `file` of the folder of journals; see journal.md"
        case .journalClosed: "the journal `file` that an operator had asked for has ended"
        case .draining: "no new sessions; those that are open are being closed with 4100"
        case .drainTimedOut: "`sessions` were still open at the end of the time they have"
        case .stopped: "the daemon exits with status 0"
        case .stoppedAtOnce: "a second signal came while stopping"
        case .signalIgnored: "SIGHUP came while the daemon stops"
        case .reloaded:
            "another configuration holds: `option` was `old` and is `new`, one line each"
        case .reloadRefused:
            "all stays as it was, because of `option`; `reason` says why; one line each"
        case .proxyNotConfigured:
            "`peer` speaks for others, `auth` is not written and `peer` not in `proxies`: all that comes by it is "
                + "refused; told once a minute at most"
        case .upgradeRefused: "a WebSocket was refused; `status` as in protocol.md"
        case .requestRefused: "an HTTP request was answered with 400: `Host`, or no upgrade"
        case .sessionOpened: "a WebSocket was accepted as a session"
        case .sessionClosed: "a session's connection is gone"
        case .clientRefused: "the client of `session` is told `unauthorized`; `reason` says why"
        case .clientNotIdentified:
            "the client of `session` is told `authUnavailable`; `reason` says why"
        case .sessionDetached: "it waits for its client, `resumeWindowMs`"
        case .sessionResumed: "its client has come back to it, on this `loop`"
        case .sessionRebuilt: "its client has brought it back as a sealed snapshot"
        case .sessionExpired: "nobody came back to it in time, or there was no room for it"
        case .sessionShed: "it was closed with 4102 and has ended: there was no memory for it"
        case .resumeRefused:
            "a client came back to a session and has a fresh one, `session`; `reason` as in protocol.md"
        case .workerJoined: "`worker` has registered with `token`"
        case .workerLeft: "the connection of `worker` is gone"
        case .workerDismissed: "`worker` is sent away for what it said; `reason` says why"
        case .workerRefused: "a connection at `/v1/worker` is closed before it has registered"
        case .processStarted: "`process` of `backend` runs"
        case .processNotStarted:
            "the system refused a process of `backend`; `reason` says why; it is tried again"
        case .processDismissed:
            "`process` of `backend` is ended for what it said or did not do; `reason` says why"
        case .processEnded:
            "`process` of `backend` is gone as it was to be, with `exitStatus` or by `signal`"
        case .processDied:
            "the same by itself: nobody had told it to end; `line` is the last that it said"
        case .workerSaid: "`line` of the standard error of `process` of `backend`"
        case .linesLeftOut:
            "`process` of `backend` said too much in one second: `lines` are missing"
        case .breakerOpened: "`backend` failed too often and is not asked for a while"
        case .breakerClosed: "`backend` answered again and is asked as ever"
        case .cursorStalled:
            "`feed` has given `session` the same cursor twice and nothing new with it: the list ends there; told once "
                + "a minute and loop at most"
        case .feedChanged: "somebody said that `feed` has newer data"
        case .traceBegun:
            "an operator has `session` traced: what follows for it, until `trace ended`"
        case .traceEnded: "an operator has ended the trace of `session`"
        case .traceOpened: "traced: the session is new, of `peer`"
        case .traceGreeted: "traced: the client said `hello`, and draws by `frames`"
        case .traceAttached: "traced: `view` is there"
        case .traceReceived: "traced: a message of `type` came, with `seq`"
        case .traceTransition: "traced: `edge` of `view` went into the state `to`"
        case .traceLoadBegan: "traced: `load` of `view` began"
        case .traceLoadEnded: "traced: `load` of `view` ended with `result`"
        case .traceFault: "traced: the client was told of the fault `code`"
        case .traceDetached: "traced: the connection is gone, the session waits for its client"
        case .traceResumed: "traced: the client has come back"
        case .traceClosed:
            "traced: the session has ended, with `code` if the daemon has ended it; so has its trace"
        case .libraryError:
            "a line of the WebSocket library; `reason` is its text; peers can cause it"
        case .libraryWarning: "the same, less grave"
        }
    }
}
