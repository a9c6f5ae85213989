/// Every limit of the daemon. The name of a duration ends with `Ms` (milliseconds). The name of
/// every other limit ends with `Max`.
///
/// The defaults suit one daemon on a small machine. The configuration can change each limit by its
/// name, in the object `limits`. Source: docs/protocol.md, "Limits".
package struct Limits: Hashable, Sendable {
    // Limits of a message.
    package var frameBytesMax = 65_536
    package var jsonDepthMax = 16
    package var stringBytesMax = 1024
    package var batchMessagesMax = 64
    package var parametersMax = 16
    package var headersMax = 16
    /// The maximum number of bytes of the token in a client's `hello`.
    package var tokenBytesMax = 8192
    /// The maximum absolute value of every length and offset, in points.
    package var geometryPointsMax = 10_000_000
    /// The maximum absolute value of every velocity, in points per second.
    package var velocityMax = 1_000_000
    package var pageSizeMax = 1000

    // Limits of a session.
    package var viewsPerSessionMax = 32
    package var faultBudgetMax = 100
    /// The maximum number of bytes that are queued for one client, in messages that contain items,
    /// loads or errors.
    package var queueBytesMax = 4_194_304
    /// The maximum number of item keys that one view stores. Item keys identify the shown items.
    package var itemKeysPerViewMax = 10_000
    /// The maximum number of frames that a client may send in a second. Each message of a batch
    /// counts as one frame. A burst may be twice as large.
    package var framesPerSecondMax = 1000
    /// The maximum number of bytes that a client may send in a second. A burst may be twice as
    /// large.
    package var receivedBytesPerSecondMax = 1_048_576
    /// The maximum number of bytes of one sealed snapshot as encoded in its message.
    package var snapshotBytesMax = 32_768

    // Limits of the daemon.
    /// The maximum number of connections with an accepted `hello`.
    package var sessionsMax = 20_000
    /// The maximum number of detached sessions: sessions that are kept without a connection. Above
    /// this number, a session of the client with the most detached sessions is evicted.
    package var detachedSessionsMax = 10_000
    /// The maximum number of bytes that all detached sessions together use. Above this number,
    /// sessions of the client whose detached sessions use the most bytes are evicted.
    package var detachedBytesMax = 268_435_456
    /// The maximum number of connections of all kinds, including those on which no request has
    /// arrived yet.
    package var connectionsMax = 25_000
    /// The maximum number of connections from one address, or from one IPv6 network of 64 bits.
    package var connectionsPerAddressMax = 256
    /// The maximum number of WebSocket upgrades that begin in a second. A burst may be twice as
    /// large.
    package var handshakesPerSecondMax = 10_000
    /// The maximum number of WebSocket upgrades from one address in a second. A burst may be twice
    /// as large. With the default limits, all connections of an address can therefore reconnect at
    /// the same time.
    package var handshakesPerAddressMax = 128
    /// If the process has more resident bytes than this number, no new client is admitted; 0: no
    /// limit.
    package var memoryBytesMax = 0
    package var loadsInFlightMax = 1024
    package var backendResponseBytesMax = 8_388_608
    /// The maximum number of bytes of all cached answers together.
    package var cacheBytesMax = 67_108_864
    package var workersMax = 64
    package var watchersMax = 16
    package var echoBytesMax = 16_777_216
    /// The maximum number of journals that are being recorded at one time because operators
    /// requested them.
    package var journalsMax = 8
    /// The maximum number of bytes of one journal that an operator requested.
    package var journalBytesMax = 67_108_864

    // Durations, in milliseconds.
    /// The maximum time from the beginning of a connection to the end of the head of its request.
    package var headTimeoutMs = 10_000
    package var helloTimeoutMs = 10_000
    /// The time within which a client must be authenticated.
    package var authDeadlineMs = 5_000
    /// The time after which a connection is closed if the client sends nothing, not even `ping`; 0:
    /// no limit.
    package var idleTimeoutMs = 3_600_000
    /// The maximum time that output may stay queued for a client that does not read from its
    /// connection.
    package var queueAgeMs = 30_000
    /// The time that a session without a connection is kept; 0: it is not kept.
    package var resumeWindowMs = 60_000
    /// The time during which a sealed snapshot can be used.
    package var snapshotLifetimeMs = 3_600_000
    package var gestureSilenceMs = 5_000
    package var loadDeadlineMs = 30_000
    package var heartbeatMs = 25_000

    // Limits that only clients with features receive.
    /// The maximum number of pages that one refresh with the option `depth`, or one `reveal`,
    /// requests.
    package var pagesKeptMax = 20

    // Limits that concern only operators and are not sent to clients.
    /// The maximum number of connections to `admin` listeners. The default is half of the file
    /// descriptors that the daemon reserves for other uses than its clients.
    package var adminConnectionsMax = 256
    /// The maximum number of diagnostics in a burst to one client. After a burst, one diagnostic
    /// may be sent in each second. 0: no diagnostics are sent.
    package var diagnosticsMax = 100
    /// The maximum time that an edge waits for the client to lay out a page before a gesture can
    /// request the next page.
    package var layoutWaitMs = 2_000
    /// The maximum number of bytes of clock-driven frames that a client may receive in a second. A
    /// clock-driven frame is a frame of an indicator that is sent because time has passed. If more
    /// bytes are due, clock-driven frames are sent at a lower rate. 0: no limit.
    package var playedBytesPerSecondMax = 12_288
    /// The maximum number of bytes of clock-driven frames that all sessions of one address, or of
    /// one IPv6 network of 64 bits, receive together in a second. 0: no limit.
    package var playedBytesPerAddressMax = 0

    /// The maximum number of sessions with a connection of one authenticated subject. 0: no limit.
    package var sessionsPerSubjectMax = 0

    package init() {}
}
