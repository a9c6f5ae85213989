/// The configuration of one loop. `EventLoop.init` validates it.
package struct LoopConfiguration: Hashable, Sendable {
    /// The number of this loop in the process, 0...255. It is part of every `Connection.key`.
    package var index: Int
    /// The supported WebSocket subprotocols. The handler chooses one by its index
    /// (`UpgradeDecision`). A client need not offer a subprotocol. If a client offers only
    /// unsupported subprotocols, it is refused.
    package var subprotocols: [String]
    /// The idle time in milliseconds after which a connection is pinged. The check runs at
    /// intervals of a fifth of this time.
    package var pingAfterMs: Int
    /// The idle time in milliseconds after which a connection is cut; more than `pingAfterMs`.
    package var hangUpAfterMs: Int
    /// The maximum size of a request head in bytes, 1,024...65,535. The memory is allocated only
    /// while a head is read.
    package var headBytesMax: Int
    /// The time limit in milliseconds for the head of a request, 10...600,000. It is measured from
    /// the accepted connection or from the previous answer. It is also the time limit for a body,
    /// measured from the head. A slower connection is cut. The limit may be changed later
    /// (`EventLoop.setHeadTimeout`).
    package var headTimeoutMs: Int
    /// The number of open files of the process at which new connections are refused. The
    /// descriptors above this number are reserved for connections of listeners with
    /// `ListeningSocket.hasReserve`, and for files that are not connections.
    package var clientFilesMax: Int
    /// If more than this number of bytes is queued for a connection, nothing is read from the
    /// connection until the queue is sent.
    package var queuedBytesMark: Int

    /// The maximum size in bytes of all bodies of a loop that are being read at one time, by their
    /// announced lengths. `TransportHandler.bodyDecision` limits each body.
    package static let bodiesBytesMax = 4_194_304

    /// Creates a configuration. Except for `clientFilesMax`, the defaults are the daemon's default
    /// values.
    package init(
        index: Int = 0,
        subprotocols: [String] = [
            "refresh.v1", "refresh.worker.v1", "refresh.watch.v1",
        ],
        pingAfterMs: Int = 25_000,
        hangUpAfterMs: Int = 35_000, headBytesMax: Int = 8_192, headTimeoutMs: Int = 10_000,
        queuedBytesMark: Int = 262_144, clientFilesMax: Int = .max
    ) {
        self.index = index
        self.subprotocols = subprotocols
        self.pingAfterMs = pingAfterMs
        self.hangUpAfterMs = hangUpAfterMs
        self.headBytesMax = headBytesMax
        self.headTimeoutMs = headTimeoutMs
        self.queuedBytesMark = queuedBytesMark
        self.clientFilesMax = clientFilesMax
    }

    /// Throws `configurationInvalid` with the name of the first value that is out of range.
    func check() throws(TransportError) {
        func require(_ isTrue: Bool, _ name: String, _ reason: String) throws(TransportError) {
            guard isTrue else { throw .configurationInvalid(name: name, reason: reason) }
        }
        try require((0...255).contains(index), "index", "must be 0 to 255")
        try require(
            !subprotocols.isEmpty
                && subprotocols.allSatisfy {
                    (1...60).contains($0.utf8.count) && $0.utf8.allSatisfy(HeaderText.isTokenByte)
                },
            "subprotocols", "must not be empty; each has 1 to 60 characters of an HTTP token")
        try require((10...3_600_000).contains(pingAfterMs), "pingAfterMs", "must be 10 to 3600000")
        try require(
            hangUpAfterMs > pingAfterMs && hangUpAfterMs <= 7_200_000,
            "hangUpAfterMs", "must be more than pingAfterMs and at most 7200000")
        try require(
            (1_024...65_535).contains(headBytesMax), "headBytesMax", "must be 1024 to 65535")
        try require((10...600_000).contains(headTimeoutMs), "headTimeoutMs", "must be 10 to 600000")
        try require(queuedBytesMark > 0, "queuedBytesMark", "must be positive")
        try require(clientFilesMax > 0, "clientFilesMax", "must be positive")
    }
}
