internal import Dispatch
package import RefreshServer
package import ScenarioKit
internal import Synchronization
package import WebSocketTransport

/// A WebSocket proxy between clients and a server, which records each connection in a journal.
/// Source: docs/refresh-probe.md, "Recording".
package final class RecordingProxy: Sendable {
    package struct Settings: Sendable {
        /// The server to which the frames are passed on.
        package var server: ServerURL
        package var place: RecordingPlace
        /// Whether credentials are recorded as they are.
        package var keepsTokens: Bool
        /// Receives sentences for the user. Called on several threads.
        package var report: @Sendable (String) -> Void

        package init(
            server: ServerURL, place: RecordingPlace, keepsTokens: Bool = false,
            report: @escaping @Sendable (String) -> Void
        ) {
            self.server = server
            self.place = place
            self.keepsTokens = keepsTokens
            self.report = report
        }
    }

    /// What was recorded.
    package struct Summary: Hashable, Sendable {
        /// The paths of the journals, one for each connection.
        package var files: [String] = []
        /// The numbers of frames that were passed on, in each direction.
        package var clientFrames = 0
        package var serverFrames = 0
        /// The number of connections for which the server could not be reached.
        package var unreachable = 0
        /// Whether all journals are complete.
        package var isComplete = true
    }

    private let loop: ProxyLoop
    private let writer: JournalWriter
    private let counts = RecordingCounts()
    /// The addresses of the listeners, as `ADDRESS:PORT`.
    package let addresses: [String]

    /// Listens at the addresses with these literals. Port 0 selects a free port. `log` receives the
    /// reason why a journal ends early.
    ///
    /// - Throws: if an address cannot be used.
    package init(
        _ settings: Settings, literals: [String], port: UInt16, log: DaemonLog,
        trusting authorities: TLSAuthorities? = nil
    ) throws(TransportError) {
        var listeners: [ListeningSocket] = []
        for literal in literals {
            do throws(TransportError) {
                listeners.append(
                    try ListeningSocket.openExclusive(
                        host: literal, port: listeners.first?.port ?? port))
            } catch {
                for listener in listeners { listener.close() }
                throw error
            }
        }
        addresses = listeners.map { listener in
            let isIPv6 = listener.address.contains(":")
            return (isIPv6 ? "[\(listener.address)]" : listener.address) + ":\(listener.port)"
        }
        let writer = settings.place.writer(log: log)
        self.writer = writer
        let configuration = LoopConfiguration(
            subprotocols: ProxyHandler.subprotocols, headBytesMax: 65_535,
            queuedBytesMark: 4 * ProxiedConnection.queuedBytesMark)
        loop = try ProxyLoop(
            configuration: configuration, listeners: listeners, trusting: authorities
        ) { [counts] dialer in
            ProxyHandler(settings, dialer: dialer, writer: writer, counts: counts)
        }
    }

    /// Closes all connections, writes the journals to their ends, and returns what was recorded.
    /// Blocks for a few seconds at most. Call this once.
    package func stop() -> Summary {
        let ended = DispatchSemaphore(value: 0)
        loop.post { handler in
            (handler as? ProxyHandler)?.closeAll { ended.signal() }
        }
        _ = ended.wait(timeout: .now() + .seconds(2))
        loop.stop()
        writer.stop(withinMilliseconds: 10_000)
        return counts.summary
    }
}

/// The counters and the files of a recording. Any thread may use them.
final class RecordingCounts: Sendable {
    struct State {
        var summary = RecordingProxy.Summary()
        var files: [JournalFile] = []
    }

    private let state = Mutex(State())

    /// What was recorded so far.
    var summary: RecordingProxy.Summary {
        state.withLock { state in
            var summary = state.summary
            summary.isComplete = !state.files.contains(where: \.hasLostLines)
            return summary
        }
    }

    func update(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }
}
