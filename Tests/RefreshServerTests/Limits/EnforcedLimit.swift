import RefreshProtocol

@testable import RefreshServer

/// What enforces an entry of `Limits`: the reaction to an excess, the metric that counts it, and
/// the test that checks it.
struct EnforcedLimit {
    /// The reaction to an excess.
    enum Outcome {
        /// The client receives this fault. `refreshd_faults_total` counts it.
        case fault(FaultCode)
        /// The upgrade is refused with this reason. `refreshd_upgrades_refused_total` counts it.
        case refusal(GateRefusal)
        /// The connection is closed before its first request. `refreshd_connections_refused_total`
        /// counts it.
        case connection(ConnectionRefusal)
        /// The excess has another effect. For example, old entries are removed, or the connection
        /// is closed. This metric family counts the effect.
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

    /// One element for each entry of `Limits`.
    static let all: [EnforcedLimit] = [
        EnforcedLimit(
            "frameBytesMax", .fault(.frameTooLarge),
            "RefreshServerTests/Limits/SocketLimitTests.swift", "frameBytesMax: "),
        EnforcedLimit("jsonDepthMax", .fault(.depthExceeded), messages, "A message at a limit"),
        EnforcedLimit("stringBytesMax", .fault(.stringTooLong), messages, "A message at a limit"),
        EnforcedLimit("batchMessagesMax", .fault(.batchTooLong), messages, "A message at a limit"),
        EnforcedLimit("parametersMax", .fault(.valueOutOfRange), messages, "A message at a limit"),
        EnforcedLimit("headersMax", .fault(.valueOutOfRange), messages, "A message at a limit"),
        EnforcedLimit("tokenBytesMax", .fault(.stringTooLong), messages, "A message at a limit"),
        EnforcedLimit(
            "geometryPointsMax", .fault(.valueOutOfRange), messages, "A message at a limit"),
        EnforcedLimit("velocityMax", .fault(.valueOutOfRange), messages, "A message at a limit"),
        EnforcedLimit("pageSizeMax", .fault(.valueOutOfRange), messages, "A message at a limit"),
        EnforcedLimit(
            "pagesKeptMax", .advice, "RefreshSessionTests/DepthSessionTests.swift",
            "pagesKeptMax: "),
        EnforcedLimit(
            "viewsPerSessionMax", .fault(.tooManyViews), messages, "viewsPerSessionMax: "),
        EnforcedLimit("faultBudgetMax", .fault(.tooManyFaults), messages, "faultBudgetMax: "),
        EnforcedLimit(
            "diagnosticsMax", .metric("refreshd_diagnostics_dropped_total"),
            "RefreshServerTests/Sessions/DiagnosticTests.swift", "diagnosticsMax: "),
        EnforcedLimit("queueBytesMax", .fault(.slowClient), slow, "queueBytesMax: "),
        EnforcedLimit(
            "itemKeysPerViewMax", .metric("refreshd_item_keys_forgotten_total"),
            "RefreshSessionTests/SessionFeedTests.swift",
            "Only the newest itemKeysPerViewMax keys are kept"),
        EnforcedLimit("framesPerSecondMax", .fault(.tooManyFrames), rates, "framesPerSecondMax: "),
        EnforcedLimit(
            "receivedBytesPerSecondMax", .fault(.tooManyBytes), rates, "receivedBytesPerSecondMax: "
        ),
        EnforcedLimit(
            "sessionsMax", .fault(.tooManySessions),
            "RefreshServerTests/Admission/ShareTests.swift",
            "sessionsMax: "),
        EnforcedLimit(
            "connectionsMax", .refusal(.tooManyConnections), admission,
            "A connection above the limit is answered 503"),
        EnforcedLimit(
            "connectionsPerAddressMax", .refusal(.tooManyConnections), admission,
            "A connection above the limit is answered 503"),
        EnforcedLimit(
            "handshakesPerSecondMax", .refusal(.tooManyHandshakes),
            "RefreshServerTests/Admission/ConnectionLimiterTests.swift", "handshakesPerSecondMax: "),
        EnforcedLimit(
            "handshakesPerAddressMax", .refusal(.tooManyHandshakes),
            "RefreshServerTests/Admission/ConnectionLimiterTests.swift", "handshakesPerAddressMax: "
        ),
        EnforcedLimit(
            "memoryBytesMax", .refusal(.outOfMemory),
            "RefreshServerTests/Admission/MemoryGaugeTests.swift", "memoryBytesMax: "),
        EnforcedLimit(
            "loadsInFlightMax", .fault(.backendBusy),
            "RefreshBrokerTests/Machine/LoadBrokerTests.swift",
            "The limit counts abandoned calls too. Beyond it"),
        EnforcedLimit(
            "backendResponseBytesMax", .fault(.backendAnswerTooLarge),
            "RefreshBackendsTests/File/FileBackendTests.swift",
            "A file or a page that is too large fails with backendAnswerTooLarge"),
        EnforcedLimit(
            "cacheBytesMax", .metric("refreshd_cache_bytes"),
            "RefreshBrokerTests/Machine/PageCacheTests.swift",
            "If the cache is full, the least recently used entry is evicted"),
        EnforcedLimit(
            "workersMax", .refusal(.tooManyWorkers),
            "RefreshServerTests/Workers/WorkerGateTests.swift",
            "workersMax: "),
        EnforcedLimit(
            "echoBytesMax", .metric("refreshd_breaches_total"),
            "RefreshServerTests/Limits/SocketLimitTests.swift", "echoBytesMax: "),
        EnforcedLimit("headTimeoutMs", .connection(.headTimeout), admission, "headTimeoutMs: "),
        EnforcedLimit(
            "helloTimeoutMs", .fault(.helloTimeout),
            "RefreshSessionTests/SessionTests.swift",
            "A connection without a hello within the time limit is closed"),
        EnforcedLimit("idleTimeoutMs", .fault(.idleClient), rates, "idleTimeoutMs: "),
        EnforcedLimit("queueAgeMs", .fault(.slowClient), slow, "queueAgeMs: "),
        EnforcedLimit(
            "gestureSilenceMs", .metric("refreshd_transitions_total"),
            "RefreshEngineTests/LostEventTests.swift",
            "Before the timeout a still finger keeps its gesture"),
        EnforcedLimit(
            "loadDeadlineMs", .metric("refreshd_loads_total"),
            "RefreshSessionTests/SessionLoadEndTests.swift",
            "A load has the deadline of its edge"),
        EnforcedLimit("heartbeatMs", .advice, messages, "heartbeatMs: "),
        EnforcedLimit(
            "snapshotBytesMax", .metric("refreshd_snapshots_total"),
            "RefreshServerTests/Snapshots/SnapshotSealTests.swift",
            "snapshotBytesMax: "),
        EnforcedLimit(
            "snapshotLifetimeMs", .metric("refreshd_resumes_total"),
            "RefreshServerTests/Snapshots/SnapshotSealTests.swift",
            "snapshotLifetimeMs: "),
        EnforcedLimit(
            "resumeWindowMs", .metric("refreshd_resumes_total"),
            "RefreshServerTests/Resuming/ResumeTests.swift",
            "resumeWindowMs: "),
        EnforcedLimit(
            "detachedSessionsMax", .metric("refreshd_sessions_detached"),
            "RefreshServerTests/Resuming/ResumeTests.swift",
            "detachedSessionsMax: "),
        EnforcedLimit(
            "detachedBytesMax", .metric("refreshd_sessions_crowded_out_total"),
            "RefreshServerTests/Resuming/DetachedBytesTests.swift",
            "detachedBytesMax: "),
        EnforcedLimit(
            "journalsMax", .metric("refreshd_journals_refused_total"),
            "RefreshServerTests/Admin/RequestedJournalTests.swift",
            "journalsMax: "),
        EnforcedLimit(
            "journalBytesMax", .metric("refreshd_journals_full_total"),
            "RefreshServerTests/Admin/RequestedJournalTests.swift",
            "journalBytesMax: "),
        EnforcedLimit(
            "authDeadlineMs", .fault(.authUnavailable),
            "RefreshServerTests/Access/AuthenticationServiceTests.swift",
            "authDeadlineMs: "),
        EnforcedLimit(
            "watchersMax", .refusal(.tooManyWatchers),
            "RefreshServerTests/Admin/WatchTests.swift",
            "watchersMax: "),
        EnforcedLimit(
            "adminConnectionsMax", .connection(.tooManyConnections), admission,
            "adminConnectionsMax: "),
        EnforcedLimit(
            "layoutWaitMs", .metric("refreshd_transitions_total"),
            "RefreshEngineTests/LoadMore/ContentTests.swift",
            "If nothing is laid out, a gesture can request a page only after layoutWaitMs"),
        EnforcedLimit(
            "playedBytesPerSecondMax", .metric("refreshd_frames_deferred_total"),
            "RefreshServerTests/Sessions/PlayBudgetTests.swift", "playedBytesPerSecondMax: "),
        EnforcedLimit(
            "playedBytesPerAddressMax", .metric("refreshd_frames_deferred_total"),
            "RefreshServerTests/Sessions/PlayBudgetTests.swift", "playedBytesPerAddressMax: "),
        EnforcedLimit(
            "sessionsPerSubjectMax", .fault(.tooManySessions),
            "RefreshServerTests/Admission/ShareTests.swift", "sessionsPerSubjectMax: "),
    ]
}
