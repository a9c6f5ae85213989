internal import RefreshBackends
internal import RefreshBroker
internal import RefreshProtocol
internal import RefreshSession

/// The metrics in Prometheus's text exposition format 0.0.4. Source: docs/operations.md, "Metrics",
/// which lists every family.
package struct MetricsPage: Sendable {
    /// The counts of each loop's sessions, in the order of the loops; at least one.
    private let loops: [SessionCounts]
    /// The counts of all loops' sessions.
    let total: SessionCounts
    /// The counts of what all loops have refused or closed.
    let refused: ConnectionCounts
    private let startSeconds: Double
    let broker: BrokerCounters
    let backends: [MeasuredBackend]
    let workers: [MeasuredWorkers]
    let streams: [ChangeStreamReporter]
    private let auth: AuthMetrics.Snapshot
    let census: ConnectionCensus
    let usage: ProcessUsage
    /// The number of watchers (see `Watcher`).
    let watchers: Int
    /// The number of sessions that count against `sessionsMax`.
    let sessionPlaces: Int
    /// The approximate number of bytes that detached sessions use.
    let detachedBytes: Int
    /// The counts of the journals that operators requested.
    let journals: RequestedJournals.Counts
    /// Nil if the daemon belongs to no cluster.
    let cluster: ClusterStatus?

    /// `startSeconds`: when the process began, in seconds since 1970.
    init(
        loops: [MetricsSnapshot], broker: BrokerCounters = BrokerCounters(),
        backends: [MeasuredBackend] = [], workers: [MeasuredWorkers] = [],
        streams: [ChangeStreamReporter] = [],
        census: ConnectionCensus = ConnectionCensus(),
        auth: AuthMetrics.Snapshot = AuthMetrics.Snapshot(),
        usage: ProcessUsage = ProcessUsage(), watchers: Int = 0, sessionPlaces: Int = 0,
        detachedBytes: Int = 0,
        journals: RequestedJournals.Counts = RequestedJournals.Counts(),
        cluster: ClusterStatus? = nil, startSeconds: Double
    ) {
        self.census = census
        self.auth = auth
        self.usage = usage
        self.watchers = watchers
        self.sessionPlaces = sessionPlaces
        self.detachedBytes = detachedBytes
        self.journals = journals
        self.cluster = cluster
        self.backends = backends
        self.workers = workers
        self.streams = streams
        self.loops = loops.map(\.sessions)
        self.startSeconds = startSeconds
        self.broker = broker
        let sum = loops.dropFirst().reduce(into: loops.first ?? MetricsSnapshot()) { $0 += $1 }
        total = sum.sessions
        refused = sum.connections
    }

    package var text: String {
        var page = MetricsText()
        addProcess(to: &page)
        addTraffic(to: &page)
        addResumption(to: &page)
        addEdges(to: &page)
        addPredictions(to: &page)
        addLoads(to: &page)
        addBackends(to: &page)
        addRefusals(to: &page)
        addAuth(auth, to: &page)
        addConnections(to: &page)
        addLatency(to: &page)
        addResponsiveness(to: &page)
        addLoadDurations(to: &page)
        addJournals(to: &page)
        addCluster(to: &page)
        addUsage(to: &page)
        addLoops(to: &page)
        return page.text
    }

    private func addProcess(to page: inout MetricsText) {
        page.family("refreshd_build_info", .gauge, "The version of this build; always 1.")
        page.sample(1, [("version", DaemonVersion.current)])
        page.family(
            "process_start_time_seconds", .gauge, "When the process started, in seconds since 1970."
        )
        page.sample(text: "\(startSeconds)")
        page.family("refreshd_loops", .gauge, "Event loops.")
        page.sample(loops.count)
    }

    private func addTraffic(to page: inout MetricsText) {
        page.family("refreshd_sessions", .gauge, "Open sessions.")
        page.sample(total.sessions)
        page.family(
            "refreshd_session_places", .gauge, "Open sessions whose hello was accepted.")
        page.sample(sessionPlaces)
        page.family("refreshd_sessions_opened_total", .counter, "Sessions that were opened.")
        page.sample(total.sessionsOpened)
        page.family("refreshd_views", .gauge, "Attached views.")
        page.sample(total.views)
        page.family("refreshd_views_attached_total", .counter, "Views that were attached.")
        page.sample(total.viewsAttached)
        page.family(
            "refreshd_messages_received_total", .counter, "WebSocket messages from clients.")
        page.sample(total.messagesReceived)
        page.family(
            "refreshd_received_bytes_total", .counter, "Payload bytes of messages from clients.")
        page.sample(total.bytesReceived)
        page.family("refreshd_messages_sent_total", .counter, "WebSocket messages to clients.")
        page.sample(total.messagesSent)
        page.family("refreshd_sent_bytes_total", .counter, "Payload bytes of messages to clients.")
        page.sample(total.bytesSent)
    }

    private func addEdges(to page: inout MetricsText) {
        page.family(
            "refreshd_transitions_total", .counter,
            "Changes of the state of an edge, by the edge's role and the new state.")
        for role in EdgeRole.allCases {
            for state in EdgeState.allCases {
                let count = total.count(of: state, at: role)
                if count > 0 || Self.states(of: role).contains(state) {
                    page.sample(count, [("edge", role.rawValue), ("state", state.rawValue)])
                }
            }
        }
    }

    private func addPredictions(to page: inout MetricsText) {
        page.family(
            "refreshd_mispredictions_total", .counter,
            "Wrong predictions of the state of a refresh edge by local clients.")
        page.sample(total.mispredictions)
    }

    /// The states that an edge with this role can have. Source: docs/protocol.md, "States".
    private static func states(of role: EdgeRole) -> [EdgeState] {
        switch role {
        case .refresh:
            [
                .disabled, .idle, .pulling, .eligible, .triggered, .refreshing, .succeeded, .failed,
                .finishing,
            ]
        case .loadMore:
            [
                .disabled, .idle, .approaching, .eligible, .triggered, .loading, .failed, .noMore,
            ]
        }
    }

    private func addRefusals(to page: inout MetricsText) {
        page.family("refreshd_faults_total", .counter, "Faults that were sent to clients, by code.")
        for (row, code) in FaultCode.allCases.enumerated() {
            page.sample(total.faults[row], [("code", code.rawValue)])
        }
        addDiagnostics(to: &page)
        page.family(
            "refreshd_upgrades_refused_total", .counter,
            "WebSocket upgrades that were refused, by status and reason.")
        for (row, refusal) in RefusalRow.all.enumerated() {
            page.sample(
                refused.upgrades[row], [("status", refusal.status), ("reason", refusal.reason)])
        }
    }

    private func addLatency(to page: inout MetricsText) {
        page.family(
            "refreshd_update_latency_seconds", .histogram,
            "Time from the receipt of a message to the write of the update that it caused.")
        var cumulated = 0
        for (row, bound) in LatencyBuckets.microseconds.enumerated() {
            cumulated += total.latencies[row]
            page.sample(
                cumulated, [("le", MetricsText.seconds(Int(bound)))], suffix: "_bucket")
        }
        cumulated += total.latencies.last ?? 0
        page.sample(cumulated, [("le", "+Inf")], suffix: "_bucket")
        page.sample(text: MetricsText.seconds(total.latencySumMicroseconds), suffix: "_sum")
        page.sample(cumulated, suffix: "_count")
    }

    private func addUsage(to page: inout MetricsText) {
        page.family("process_open_fds", .gauge, "Files that the process has open.")
        page.sample(usage.openFiles)
        page.family("process_max_fds", .gauge, "Files that the process may open.")
        page.sample(usage.openFilesMax)
        page.family(
            "process_cpu_seconds_total", .counter, "CPU time that the process has used.")
        page.sample(text: MetricsText.seconds(usage.cpuMicroseconds))
        page.family("refreshd_watchers", .gauge, "Connections that watch sessions.")
        page.sample(watchers)
    }
    private func addLoops(to page: inout MetricsText) {
        page.family("refreshd_loop_sessions", .gauge, "Open sessions of one event loop.")
        for (index, loop) in loops.enumerated() {
            page.sample(loop.sessions, [("loop", String(index))])
        }
        page.family(
            "refreshd_loop_messages_received_total", .counter,
            "WebSocket messages from clients of one event loop.")
        for (index, loop) in loops.enumerated() {
            page.sample(loop.messagesReceived, [("loop", String(index))])
        }
    }
}
