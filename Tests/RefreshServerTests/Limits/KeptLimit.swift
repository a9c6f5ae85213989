import RefreshProtocol

@testable import RefreshServer

/// What enforces an entry of `Limits`: the reaction to an excess, the metric that counts it, and
/// the test that checks it.
struct KeptLimit {
    /// The reaction to an excess.
    enum Outcome {
        /// The client receives this fault. `refreshd_faults_total` counts it.
        case fault(FaultCode)
        /// The upgrade is refused with this reason. `refreshd_upgrades_refused_total` counts it.
        case refusal(GateRefusal)
        /// The connection is closed before its first request. `refreshd_connections_refused_total`
        /// counts it.
        case connection(ConnectionRefusal)
        /// Older entries are removed, or something ends or is closed. This metric family counts it.
        case metric(String)
        /// Nothing is refused. The value is sent to clients as advice.
        case advice
    }

    let name: String
    let outcome: Outcome
    /// A file in Tests/, and the beginning of the sentence of a test in it.
    let test: (file: String, sentence: String)

    init(_ name: String, _ outcome: Outcome, _ file: String, _ sentence: String) {
        self.name = name
        self.outcome = outcome
        test = (file, sentence)
    }

    private static let messages = "RefreshServerTests/Limits/MessageLimitTests.swift"
    private static let admission = "RefreshServerTests/Admission/AdmissionTests.swift"
    private static let rates = "RefreshSessionTests/RateTests.swift"
    private static let slow = "RefreshSessionTests/SlowClientTests.swift"

    /// One for each entry.
    static let all: [KeptLimit] = [
        KeptLimit(
            "frameBytesMax", .fault(.frameTooLarge),
            "RefreshServerTests/Limits/SocketLimitTests.swift", "frameBytesMax: "),
        KeptLimit("jsonDepthMax", .fault(.depthExceeded), messages, "A message at a limit"),
        KeptLimit("stringBytesMax", .fault(.stringTooLong), messages, "A message at a limit"),
        KeptLimit("batchMessagesMax", .fault(.batchTooLong), messages, "A message at a limit"),
        KeptLimit("parametersMax", .fault(.valueOutOfRange), messages, "A message at a limit"),
        KeptLimit("headersMax", .fault(.valueOutOfRange), messages, "A message at a limit"),
        KeptLimit("tokenBytesMax", .fault(.stringTooLong), messages, "A message at a limit"),
        KeptLimit("geometryPointsMax", .fault(.valueOutOfRange), messages, "A message at a limit"),
        KeptLimit("velocityMax", .fault(.valueOutOfRange), messages, "A message at a limit"),
        KeptLimit("pageSizeMax", .fault(.valueOutOfRange), messages, "A message at a limit"),
        KeptLimit("viewsPerSessionMax", .fault(.tooManyViews), messages, "viewsPerSessionMax: "),
        KeptLimit("faultBudgetMax", .fault(.tooManyFaults), messages, "faultBudgetMax: "),
        KeptLimit(
            "diagnosticsMax", .metric("refreshd_diagnostics_dropped_total"),
            "RefreshServerTests/Sessions/DiagnosticTests.swift", "diagnosticsMax: "),
        KeptLimit("queueBytesMax", .fault(.slowClient), slow, "queueBytesMax: "),
        KeptLimit(
            "itemKeysPerViewMax", .metric("refreshd_item_keys_forgotten_total"),
            "RefreshSessionTests/SessionNewsTests.swift",
            "Only the newest itemKeysPerViewMax keys are kept"),
        KeptLimit("framesPerSecondMax", .fault(.tooManyFrames), rates, "framesPerSecondMax: "),
        KeptLimit(
            "receivedBytesPerSecondMax", .fault(.tooManyBytes), rates, "receivedBytesPerSecondMax: "
        ),
        KeptLimit(
            "sessionsMax", .fault(.tooManySessions),
            "RefreshServerTests/Admission/ShareTests.swift",
            "sessionsMax: "),
        KeptLimit(
            "connectionsMax", .refusal(.tooManyConnections), admission,
            "A connection above the limit is answered 503"),
        KeptLimit(
            "connectionsPerAddressMax", .refusal(.tooManyConnections), admission,
            "A connection above the limit is answered 503"),
        KeptLimit(
            "handshakesPerSecondMax", .refusal(.tooManyHandshakes),
            "RefreshServerTests/Admission/ConnectionLimiterTests.swift", "handshakesPerSecondMax: "),
        KeptLimit(
            "handshakesPerAddressMax", .refusal(.tooManyHandshakes),
            "RefreshServerTests/Admission/ConnectionLimiterTests.swift", "handshakesPerAddressMax: "
        ),
        KeptLimit(
            "memoryBytesMax", .refusal(.outOfMemory),
            "RefreshServerTests/Admission/MemoryGaugeTests.swift", "memoryBytesMax: "),
        KeptLimit(
            "loadsInFlightMax", .fault(.backendBusy),
            "RefreshBrokerTests/Machine/LoadBrokerTests.swift",
            "Beyond the limit, which includes abandoned calls"),
        KeptLimit(
            "backendResponseBytesMax", .fault(.backendAnswerTooLarge),
            "RefreshBrokerTests/File/FileBackendTests.swift",
            "A file or a page that is too large fails with backendAnswerTooLarge"),
        KeptLimit(
            "cacheBytesMax", .metric("refreshd_cache_bytes"),
            "RefreshBrokerTests/Machine/PageCacheTests.swift",
            "If the cache is full, the least recently used entry is evicted"),
        KeptLimit(
            "workersMax", .refusal(.tooManyWorkers),
            "RefreshServerTests/Workers/WorkerGateTests.swift",
            "workersMax: "),
        KeptLimit(
            "echoBytesMax", .metric("refreshd_breaches_total"),
            "RefreshServerTests/Limits/SocketLimitTests.swift", "echoBytesMax: "),
        KeptLimit("headTimeoutMs", .connection(.headTimeout), admission, "headTimeoutMs: "),
        KeptLimit(
            "helloTimeoutMs", .fault(.helloTimeout),
            "RefreshSessionTests/SessionTests.swift",
            "A connection without a hello within the time limit is closed"),
        KeptLimit("idleTimeoutMs", .fault(.idleClient), rates, "idleTimeoutMs: "),
        KeptLimit("queueAgeMs", .fault(.slowClient), slow, "queueAgeMs: "),
        KeptLimit(
            "gestureSilenceMs", .metric("refreshd_transitions_total"),
            "RefreshEngineTests/LostEventTests.swift",
            "Before the timeout a still finger keeps its gesture"),
        KeptLimit(
            "loadDeadlineMs", .metric("refreshd_loads_total"),
            "RefreshSessionTests/SessionLoadEndTests.swift",
            "A load has the deadline of its edge"),
        KeptLimit("heartbeatMs", .advice, messages, "heartbeatMs: "),
        KeptLimit(
            "snapshotBytesMax", .metric("refreshd_snapshots_total"),
            "RefreshServerTests/Snapshots/SnapshotSealTests.swift",
            "snapshotBytesMax: "),
        KeptLimit(
            "snapshotLifetimeMs", .metric("refreshd_resumes_total"),
            "RefreshServerTests/Snapshots/SnapshotSealTests.swift",
            "snapshotLifetimeMs: "),
        KeptLimit(
            "resumeWindowMs", .metric("refreshd_resumes_total"),
            "RefreshServerTests/Resuming/ResumeTests.swift",
            "resumeWindowMs: "),
        KeptLimit(
            "detachedSessionsMax", .metric("refreshd_sessions_detached"),
            "RefreshServerTests/Resuming/ResumeTests.swift",
            "detachedSessionsMax: "),
        KeptLimit(
            "detachedBytesMax", .metric("refreshd_sessions_crowded_out_total"),
            "RefreshServerTests/Resuming/DetachedBytesTests.swift",
            "detachedBytesMax: "),
        KeptLimit(
            "journalsMax", .metric("refreshd_journals_refused_total"),
            "RefreshServerTests/Admin/RequestedJournalTests.swift",
            "journalsMax: "),
        KeptLimit(
            "journalBytesMax", .metric("refreshd_journals_full_total"),
            "RefreshServerTests/Admin/RequestedJournalTests.swift",
            "journalBytesMax: "),
        KeptLimit(
            "authDeadlineMs", .fault(.authUnavailable),
            "RefreshServerTests/Access/AuthenticationServiceTests.swift",
            "authDeadlineMs: "),
        KeptLimit(
            "watchersMax", .refusal(.tooManyWatchers),
            "RefreshServerTests/Admin/WatchTests.swift",
            "watchersMax: "),
        KeptLimit(
            "adminConnectionsMax", .connection(.tooManyConnections), admission,
            "adminConnectionsMax: "),
        KeptLimit(
            "layoutWaitMs", .metric("refreshd_transitions_total"),
            "RefreshEngineTests/LoadMore/ContentTests.swift", "After layoutWaitMs, and not before"),
        KeptLimit(
            "playedBytesPerSecondMax", .metric("refreshd_frames_deferred_total"),
            "RefreshServerTests/Sessions/PlayBudgetTests.swift", "playedBytesPerSecondMax: "),
        KeptLimit(
            "playedBytesPerAddressMax", .metric("refreshd_frames_deferred_total"),
            "RefreshServerTests/Sessions/PlayBudgetTests.swift", "playedBytesPerAddressMax: "),
    ]
}
