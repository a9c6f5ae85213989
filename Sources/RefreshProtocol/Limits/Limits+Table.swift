extension Limits {
    /// One limit: its name, its key path and its meaning.
    package struct Entry: Sendable {
        package let name: String
        package let meaning: String
        /// The values that an operator may choose.
        package let range: ClosedRange<Int>
        package let path: any WritableKeyPath<Limits, Int> & Sendable
        /// Whether a change takes effect only after a restart. Source: docs/operations.md,
        /// "Reload".
        package var needsRestart = false
    }

    /// All limits that are sent to every client, in the order of the documentation. `welcome` and
    /// the table in docs/protocol.md are generated from this list.
    package static let table: [Entry] = [
        Entry(
            name: "frameBytesMax", meaning: "bytes of one client message, all fragments together",
            range: 1024...16_777_216, path: \.frameBytesMax),
        Entry(
            name: "jsonDepthMax", meaning: "nesting of arrays and objects in a frame",
            range: 4...64, path: \.jsonDepthMax),
        Entry(
            name: "stringBytesMax", meaning: "bytes of one string, as encoded in the frame",
            range: 64...65_536, path: \.stringBytesMax),
        Entry(
            name: "batchMessagesMax", meaning: "messages in one frame, and views in one `hello`",
            range: 1...4096, path: \.batchMessagesMax),
        Entry(
            name: "parametersMax", meaning: "parameters of one attached feed",
            range: 0...256, path: \.parametersMax),
        Entry(
            name: "headersMax", meaning: "headers of one `hello`",
            range: 0...64, path: \.headersMax),
        Entry(
            name: "tokenBytesMax", meaning: "bytes of the token of a `hello`",
            range: 64...65_536, path: \.tokenBytesMax),
        Entry(
            name: "geometryPointsMax", meaning: "absolute value of a length or offset, points",
            range: 10_000...1_000_000_000, path: \.geometryPointsMax),
        Entry(
            name: "velocityMax", meaning: "absolute value of a velocity, points per second",
            range: 10_000...1_000_000_000, path: \.velocityMax),
        Entry(
            name: "pageSizeMax", meaning: "items requested in one load",
            range: 1...100_000, path: \.pageSizeMax),
        Entry(
            name: "viewsPerSessionMax", meaning: "attached views of one session",
            range: 1...4096, path: \.viewsPerSessionMax),
        Entry(
            name: "faultBudgetMax", meaning: "faults of a session; one is restored each second",
            range: 1...1_000_000, path: \.faultBudgetMax),
        Entry(
            name: "queueBytesMax", meaning: "bytes of items, loads and errors waiting for a client",
            range: 65_536...1_073_741_824, path: \.queueBytesMax),
        Entry(
            name: "itemKeysPerViewMax", meaning: "keys of items that one view remembers",
            range: 0...1_000_000, path: \.itemKeysPerViewMax),
        Entry(
            name: "framesPerSecondMax",
            meaning:
                "frames of a session per second, with a burst of twice as many; each message of a "
                + "batch counts as a frame",
            range: 10...1_000_000, path: \.framesPerSecondMax),
        Entry(
            name: "receivedBytesPerSecondMax",
            meaning: "bytes that a session sends per second, with a burst of twice as many",
            range: 1024...1_073_741_824, path: \.receivedBytesPerSecondMax),
        Entry(
            name: "snapshotBytesMax",
            meaning: "bytes of one sealed snapshot, as encoded in its message",
            range: 1024...4_194_304, path: \.snapshotBytesMax),
        Entry(
            name: "sessionsMax", meaning: "connections admitted as sessions",
            range: 1...1_000_000, path: \.sessionsMax),
        Entry(
            name: "detachedSessionsMax",
            meaning:
                "sessions kept without a connection; above this, a session of the client with the "
                + "most such sessions is evicted",
            range: 0...1_000_000, path: \.detachedSessionsMax),
        Entry(
            name: "detachedBytesMax",
            meaning:
                "bytes of sessions without a connection; above this, sessions of the client with "
                + "the most bytes are evicted",
            range: 0...1_099_511_627_776, path: \.detachedBytesMax),
        Entry(
            name: "connectionsMax", meaning: "connections of all kinds",
            range: 1...1_000_000, path: \.connectionsMax),
        Entry(
            name: "connectionsPerAddressMax", meaning: "connections of all kinds from one address",
            range: 1...1_000_000, path: \.connectionsPerAddressMax),
        Entry(
            name: "handshakesPerSecondMax",
            meaning: "WebSocket upgrades per second, with a burst of twice as many",
            range: 1...1_000_000, path: \.handshakesPerSecondMax),
        Entry(
            name: "handshakesPerAddressMax",
            meaning:
                "WebSocket upgrades from one address per second, with a burst of twice as many",
            range: 1...1_000_000, path: \.handshakesPerAddressMax),
        Entry(
            name: "memoryBytesMax",
            meaning:
                "resident bytes of the process above which no new client is admitted; 0: no limit",
            range: 0...1_099_511_627_776, path: \.memoryBytesMax),
        Entry(
            name: "loadsInFlightMax", meaning: "concurrent backend calls of the daemon",
            range: 1...100_000, path: \.loadsInFlightMax, needsRestart: true),
        Entry(
            name: "backendResponseBytesMax", meaning: "bytes of one backend answer",
            range: 1024...1_073_741_824, path: \.backendResponseBytesMax),
        Entry(
            name: "cacheBytesMax", meaning: "bytes of all cached backend answers",
            range: 0...17_179_869_184, path: \.cacheBytesMax, needsRestart: true),
        Entry(
            name: "workersMax", meaning: "connected workers of the daemon",
            range: 0...10_000, path: \.workersMax, needsRestart: true),
        Entry(
            name: "watchersMax", meaning: "connections that watch sessions",
            range: 0...256, path: \.watchersMax),
        Entry(
            name: "echoBytesMax", meaning: "bytes of one message on `/echo`",
            range: 1024...67_108_864, path: \.echoBytesMax, needsRestart: true),
        Entry(
            name: "journalsMax", meaning: "concurrent journals on request",
            range: 0...1000, path: \.journalsMax),
        Entry(
            name: "journalBytesMax",
            meaning:
                "bytes of one requested journal, which ends with the input that reaches the limit",
            range: 4096...1_099_511_627_776, path: \.journalBytesMax),
        Entry(
            name: "headTimeoutMs",
            meaning: "ms from the connection to the end of a request's head",
            range: 100...600_000, path: \.headTimeoutMs),
        Entry(
            name: "helloTimeoutMs", meaning: "ms from the upgrade to `hello`",
            range: 100...600_000, path: \.helloTimeoutMs),
        Entry(
            name: "authDeadlineMs", meaning: "ms that the authentication of a client may take",
            range: 10...60_000, path: \.authDeadlineMs),
        Entry(
            name: "idleTimeoutMs",
            meaning: "ms that a client may send nothing, not even `ping`; 0: no limit",
            range: 0...2_592_000_000, path: \.idleTimeoutMs),
        Entry(
            name: "queueAgeMs",
            meaning: "ms that output may be queued for a client that does not read",
            range: 1000...3_600_000, path: \.queueAgeMs),
        Entry(
            name: "resumeWindowMs",
            meaning: "ms for which a session without a connection is kept; 0: none is kept",
            range: 0...86_400_000, path: \.resumeWindowMs),
        Entry(
            name: "snapshotLifetimeMs", meaning: "ms for which a sealed snapshot is valid",
            range: 1000...2_592_000_000, path: \.snapshotLifetimeMs),
        Entry(
            name: "gestureSilenceMs",
            meaning: "ms without a message after which a gesture counts as cancelled",
            range: 2_500...600_000, path: \.gestureSilenceMs),
        Entry(
            name: "loadDeadlineMs", meaning: "ms after which a load ends as timed out",
            range: 100...3_600_000, path: \.loadDeadlineMs),
        Entry(
            name: "heartbeatMs", meaning: "ms of silence after which a client should `ping`",
            range: 1_000...600_000, path: \.heartbeatMs),
    ]

    /// The limits that are sent only to clients with features. `welcome` contains them after the
    /// other limits. Source: docs/protocol.md, "Features".
    package static let tableOfFeatures: [Entry] = [
        Entry(
            name: "pagesKeptMax",
            meaning: "pages that one refresh with the option `depth`, or one `reveal`, requests",
            range: 1...100, path: \.pagesKeptMax)
    ]

    /// All limits that an operator may set, including those that do not concern clients.
    package static let all: [Entry] =
        table + tableOfFeatures + [
            Entry(
                name: "adminConnectionsMax", meaning: "connections to `admin` listeners",
                range: 1...100_000, path: \.adminConnectionsMax),
            diagnostics,
            layoutWait,
            played,
            Entry(
                name: "playedBytesPerAddressMax",
                meaning:
                    "bytes of clock-driven frames per second that all sessions of one address may "
                    + "receive together; above this, they receive fewer frames; 0: no limit",
                range: 0...1_073_741_824, path: \.playedBytesPerAddressMax),
            Entry(
                name: "sessionsPerSubjectMax",
                meaning: "sessions with a connection of one subject; 0: no limit",
                range: 0...1_000_000, path: \.sessionsPerSubjectMax),
        ]

    /// The limits that affect the output of a session. A journal records them.
    package static let recorded: [Entry] =
        table + tableOfFeatures + [diagnostics, layoutWait, played]

    private static let diagnostics = Entry(
        name: "diagnosticsMax",
        meaning:
            "diagnostics that a session may receive at one time; each second allows one more; "
            + "0: none",
        range: 0...1_000_000, path: \.diagnosticsMax)

    private static let layoutWait = Entry(
        name: "layoutWaitMs",
        meaning:
            "ms that an edge waits for the layout of a page before a gesture requests the next one",
        range: 0...60_000, path: \.layoutWaitMs)

    private static let played = Entry(
        name: "playedBytesPerSecondMax",
        meaning:
            "bytes of clock-driven frames per second that a session may receive; above this, it "
            + "receives fewer frames; 0: no limit",
        range: 0...1_073_741_824, path: \.playedBytesPerSecondMax)

    /// The limit of that name; nil if there is none.
    package subscript(name: String) -> Int? {
        Self.all.first { $0.name == name }.map { self[keyPath: $0.path] }
    }
}
