internal import Glibc
internal import RefreshBackends
internal import RefreshBroker

extension DaemonLog {
    /// Logs that the circuit breaker of a backend opened or closed.
    func callAsFunction(_ change: BreakerChange) {
        switch change.state {
        case .open: self(.breakerOpened, [.backend: change.backend])
        case .closed: self(.breakerClosed, [.backend: change.backend])
        // The half-open state is not logged, because it ends with the result of the trial call.
        case .halfOpen: break
        }
    }

    /// Logs an event of the stream of changes of a feed.
    func callAsFunction(_ event: ChangeStreamReporter.Event, ofFeed feed: String) {
        switch event {
        case .opened: self(.streamOpened, [.feed: feed])
        case .closed: self(.streamClosed, [.feed: feed])
        case .failed(let reason): self(.streamFailed, [.feed: feed, .reason: reason])
        case .stopped: self(.streamStopped, [.feed: feed])
        }
    }

    /// Logs an event of a backend's processes, or a line that a process wrote to standard error.
    func callAsFunction(_ event: ExecEvent, of backend: String) {
        switch event {
        case .started(let process):
            self(.processStarted, [.backend: backend, .process: "\(process)"])
        case .startFailed(let reason):
            self(.processNotStarted, [.backend: backend, .reason: reason])
        case .dismissed(let process, let reason):
            self(
                .processDismissed,
                [.backend: backend, .process: "\(process)", .reason: reason])
        case .ended(let process, let exitStatus, let signal):
            self(.processEnded, Self.end(of: process, exitStatus, signal, backend))
        case .endedUnexpectedly(let process, let exitStatus, let signal, let lastLine):
            var values = Self.end(of: process, exitStatus, signal, backend)
            values[.line] = lastLine
            self(.processDied, values)
        case .errorLine(let process, let line):
            self(
                .workerSaid, [.backend: backend, .process: "\(process)", .line: line])
        case .errorLinesOmitted(let process, let lines):
            self(
                .linesLeftOut,
                [.backend: backend, .process: "\(process)", .lines: "\(lines)"])
        }
    }

    private static func end(
        of process: Int32, _ exitStatus: Int32?, _ signal: Int32?, _ backend: String
    ) -> [LogKey: String] {
        var values: [LogKey: String] = [.backend: backend, .process: "\(process)"]
        values[.exitStatus] = exitStatus.map(String.init)
        values[.signal] = signal.map(name(ofSignal:))
        return values
    }

    /// Returns a name like SIGKILL, or the number of an unusual signal.
    private static func name(ofSignal number: Int32) -> String {
        switch number {
        case SIGABRT: "SIGABRT"
        case SIGBUS: "SIGBUS"
        case SIGFPE: "SIGFPE"
        case SIGHUP: "SIGHUP"
        case SIGILL: "SIGILL"
        case SIGINT: "SIGINT"
        case SIGKILL: "SIGKILL"
        case SIGPIPE: "SIGPIPE"
        case SIGSEGV: "SIGSEGV"
        case SIGTERM: "SIGTERM"
        default: "\(number)"
        }
    }
}
