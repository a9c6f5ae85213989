/// Every limit of the daemon. Each name ends with its unit.
///
/// The defaults suit one daemon on a small machine. The configuration can change each limit
/// (`limits:`, same names). Source: docs/protocol.md, "Limits".
package struct Limits: Hashable, Sendable {
    // Limits of a message.
    package var frameBytesMax = 65_536
    package var jsonDepthMax = 16
    package var stringBytesMax = 1024
    package var batchMessagesMax = 64
    package var parametersMax = 16
    package var headersMax = 16
    /// Bytes of the token in a client's `hello`.
    package var tokenBytesMax = 8192
    /// Absolute bound of every length and offset, in points.
    package var geometryPointsMax = 10_000_000
    /// Absolute bound of every velocity, in points per second.
    package var velocityMax = 1_000_000
    package var pageSizeMax = 1000

    // Limits of a session.
    package var viewsPerSessionMax = 32
    package var faultBudgetMax = 100
    /// Bytes of items, loads and errors that may be queued for one client.
    package var queueBytesMax = 4_194_304
    /// Keys of shown items that one view remembers.
    package var itemKeysPerViewMax = 10_000
    /// Frames that a session may send in a second. A batch counts as many frames as it has
    /// messages. A burst may be twice as large.
    package var framesPerSecondMax = 1000
    /// Bytes that a session may send in a second. A burst may be twice as large.
    package var receivedBytesPerSecondMax = 1_048_576
    /// Bytes of one sealed snapshot as encoded in its message.
    package var snapshotBytesMax = 32_768

    // Limits of the daemon.
    /// Connections with an accepted `hello`.
    package var sessionsMax = 20_000
    /// Detached sessions: those that are kept without a connection. Above this number, a session of
    /// the client with the most sessions is evicted.
    package var detachedSessionsMax = 10_000
    /// Bytes that all detached sessions together use. Above this number, sessions of the client
    /// with the most bytes are evicted.
    package var detachedBytesMax = 268_435_456
    /// Connections of all kinds, including those that have not sent a request yet.
    package var connectionsMax = 25_000
    /// Connections from one address, or from one IPv6 network of 64 bits.
    package var connectionsPerAddressMax = 256
    /// WebSocket upgrades that begin in a second. A burst may be twice as large.
    package var handshakesPerSecondMax = 10_000
    /// Upgrades from one address in a second. A burst may be twice as large. With the default
    /// limits, all connections of an address can therefore reconnect at once.
    package var handshakesPerAddressMax = 128
    /// Resident bytes of the process above which no new client is admitted; 0: no limit.
    package var memoryBytesMax = 0
    package var loadsInFlightMax = 1024
    package var backendResponseBytesMax = 8_388_608
    /// Bytes of all cached answers.
    package var cacheBytesMax = 67_108_864
    package var workersMax = 64
    package var watchersMax = 16
    package var echoBytesMax = 16_777_216
    /// Journals that run at one time at the request of operators.
    package var journalsMax = 8
    /// Bytes of one journal that runs at the request of an operator.
    package var journalBytesMax = 67_108_864

    // Durations, in milliseconds.
    /// The time from the connection to the end of a request's head.
    package var headTimeoutMs = 10_000
    package var helloTimeoutMs = 10_000
    /// The time within which a client must be authenticated.
    package var authDeadlineMs = 5_000
    /// The time after which a connection is closed if the client sends nothing, not even `ping`; 0:
    /// no limit.
    package var idleTimeoutMs = 3_600_000
    /// The time that output may stay queued for a client that does not read.
    package var queueAgeMs = 30_000
    /// The time that a session without a connection is kept; 0: it is not kept.
    package var resumeWindowMs = 60_000
    /// The time during which a sealed snapshot can be used.
    package var snapshotLifetimeMs = 3_600_000
    package var gestureSilenceMs = 5_000
    package var loadDeadlineMs = 30_000
    package var heartbeatMs = 25_000

    // Limits that only clients with features receive.
    /// Pages that one refresh with the option `depth` requests.
    package var pagesKeptMax = 20

    // Limits that concern only operators and are not sent to clients.
    /// Connections to `admin` listeners. The default is half of the file descriptors that the
    /// daemon reserves for other uses than its clients.
    package var adminConnectionsMax = 256
    /// Diagnostics that may be sent to one client at one time. One more may be sent each second. 0:
    /// none.
    package var diagnosticsMax = 100
    /// The time that an edge waits for the client to lay out a page before a gesture can request
    /// the next page.
    package var layoutWaitMs = 2_000
    /// Bytes of clock-driven frames that a session may receive in a second, or at one time after a
    /// quiet period. Such a frame of an indicator is sent because time has passed. Above this
    /// number, the frames are sent at a lower rate. 0: no limit.
    package var playedBytesPerSecondMax = 12_288
    /// The same limit for all sessions of one address, or one IPv6 network of 64 bits, together. 0:
    /// no limit.
    package var playedBytesPerAddressMax = 0

    package init() {}
}
