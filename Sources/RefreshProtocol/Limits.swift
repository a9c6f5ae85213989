/// Every bound of the daemon, in one place; the unit stands last in the name.
///
/// Defaults are for one daemon on a small machine. The configuration may change each of them
/// (`limits:`, same names). Source: docs/protocol.md, "Limits".
package struct Limits: Hashable, Sendable {
    // What a message may be.
    package var frameBytesMax = 65_536
    package var jsonDepthMax = 16
    package var stringBytesMax = 1024
    package var batchMessagesMax = 64
    package var parametersMax = 16
    package var headersMax = 16
    /// Bytes of the token that a client gives with `hello`.
    package var tokenBytesMax = 8192
    /// Absolute bound of every length and offset, points.
    package var geometryPointsMax = 10_000_000
    /// Absolute bound of every velocity, points per second.
    package var velocityMax = 1_000_000
    package var pageSizeMax = 1000

    // What a session may hold.
    package var viewsPerSessionMax = 32
    package var faultBudgetMax = 100
    /// Bytes of items, loads and errors that may wait for one client.
    package var queueBytesMax = 4_194_304
    /// Keys that one view remembers of the items it has shown.
    package var itemKeysPerViewMax = 10_000
    /// Frames that a session may send within a second, a batch as many as its messages; twice as
    /// many at once.
    package var framesPerSecondMax = 1000
    /// Bytes that a session may send within a second; twice as many at once.
    package var receivedBytesPerSecondMax = 1_048_576
    /// Bytes of one sealed snapshot, as it stands in its message.
    package var snapshotBytesMax = 32_768

    // What the daemon may hold.
    /// Connections whose `hello` was accepted.
    package var sessionsMax = 20_000
    /// Sessions without a connection that are kept; beyond it one of who has most goes.
    package var detachedSessionsMax = 10_000
    /// Bytes that all of them hold; beyond it those of who has most go.
    package var detachedBytesMax = 268_435_456
    /// Connections of all kinds, those that have not asked for anything yet among them.
    package var connectionsMax = 25_000
    /// Of them, those of one address, or of the network of 64 bits that an IPv6 address is in.
    package var connectionsPerAddressMax = 256
    /// WebSocket upgrades that are begun within a second; twice as many at once.
    package var handshakesPerSecondMax = 10_000
    /// Of them, those of one address: enough for all of its connections to come back at once.
    package var handshakesPerAddressMax = 128
    /// Resident bytes of the process above which nobody new is let in; 0: no bound.
    package var memoryBytesMax = 0
    package var loadsInFlightMax = 1024
    package var backendResponseBytesMax = 8_388_608
    /// Bytes of all answers that are kept.
    package var cacheBytesMax = 67_108_864
    package var workersMax = 64
    package var watchersMax = 16
    package var echoBytesMax = 16_777_216
    /// Journals that operators have asked for, at a time.
    package var journalsMax = 8
    /// Bytes of one of them.
    package var journalBytesMax = 67_108_864

    // How long things may take, milliseconds.
    /// From the connection to the end of a request's head.
    package var headTimeoutMs = 10_000
    package var helloTimeoutMs = 10_000
    /// How long it may take to find out who a client is.
    package var authDeadlineMs = 5_000
    /// How long a client may say nothing at all, not even `ping`; 0: for ever.
    package var idleTimeoutMs = 3_600_000
    /// How long what is said may wait for a client that does not read.
    package var queueAgeMs = 30_000
    /// How long a session without a connection is kept; 0: not at all.
    package var resumeWindowMs = 60_000
    /// How long a sealed snapshot can be used.
    package var snapshotLifetimeMs = 3_600_000
    package var gestureSilenceMs = 5_000
    package var loadDeadlineMs = 30_000
    package var heartbeatMs = 25_000

    // What concerns operators alone, and is not told to clients.
    /// Connections to `admin` listeners: half of the files that are kept for what clients cannot
    /// take.
    package var adminConnectionsMax = 256
    /// Diagnostics that one client may be sent at once; one more each second; 0: none.
    package var diagnosticsMax = 100
    /// How long an edge waits for the client to lay out a page before a gesture asks for the next.
    package var layoutWaitMs = 2_000
    /// Bytes of frames by the clock that a session is sent in a second, and at once after a quiet
    /// while; beyond it they come at a lower rate. 0: no bound.
    package var playedBytesPerSecondMax = 12_288
    /// The same of all sessions of one address, or network of 64 bits, together. 0: no bound.
    package var playedBytesPerAddressMax = 0

    package init() {}
}
