internal import RefreshProtocol
internal import WebSocketTransport

/// One client's connection and the connection to the server that belongs to it. Used on the loop's
/// thread only.
///
///     client -> clientSent -> journal -> socket -> server
///            <- received   <- journal <--'
///
/// Each side has a bounded queue: if more than `queuedBytesMark` bytes wait for one side, nothing
/// is read from the other side.
final class ProxiedConnection: DialedSocketObserver {
    let number: Int
    /// The client's connection; nil after its end.
    private var client: Connection?
    private var socket: DialedSocket?
    private let dialer: ProxyDialer
    private var dialed: Int?
    private var journal: ConnectionJournal
    private let counts: RecordingCounts
    private let report: (String) -> Void
    /// Called once, when both sides have ended.
    private let finished: (ProxiedConnection) -> Void
    /// The client's messages that wait until the server's connection is open.
    private var waiting: [(bytes: [UInt8], isBinary: Bool)] = []
    private var isServerOpen = false
    /// Whether the server's connection has ended, or could not be opened. Later messages of the
    /// client are dropped.
    private var hasServerEnded = false
    /// Whether the client is cut as soon as everything was sent to it, because the server was cut.
    private var isCutWhenSent = false
    private var hasReportedBinary = false
    /// Whether the client has sent `bye`, which the server answers with a close frame of its own.
    private var hasSentBye = false
    /// Whether the client or the recorder has closed before the server.
    private var hasClosed = false

    /// The number of queued bytes above which the other side is not read.
    static let queuedBytesMark = 262_144
    /// The maximum size of a message in bytes, in both directions.
    static let messageBytesMax = 16_777_216

    init(
        _ number: Int, client: Connection, dialer: ProxyDialer, journal: ConnectionJournal,
        counts: RecordingCounts, report: @escaping (String) -> Void,
        finished: @escaping (ProxiedConnection) -> Void
    ) {
        self.number = number
        self.client = client
        self.dialer = dialer
        self.journal = journal
        self.counts = counts
        self.report = report
        self.finished = finished
    }

    /// Dials the server for the client. The client is not read until the server's connection is
    /// open.
    func dial(_ target: DialTarget, for request: ProxiedRequest) {
        client?.setReadingPaused(true)
        let dialed = dialer.dial(
            target, subprotocol: request.subprotocol, origin: request.upgrade.origin,
            authorization: request.upgrade.authorization,
            cookie: request.upgrade.headers.first { $0.name == "cookie" }?.value,
            messageBytesMax: Self.messageBytesMax, within: .seconds(10), observer: self)
        self.dialed = dialed.number
        socket = dialed.socket
    }

    // MARK: The client

    func clientSent(_ bytes: [UInt8], isBinary: Bool) {
        guard !hasServerEnded else { return }
        journal.recordClientFrame(bytes, isBinary: isBinary, at: MonotonicClock.nowMicroseconds)
        counts.update { $0.summary.clientFrames += 1 }
        hasSentBye = hasSentBye || Self.isBye(bytes)
        guard isServerOpen else {
            waiting.append((bytes, isBinary))
            return
        }
        socket?.send(bytes, isBinary: isBinary)
        pauseClientIfNeeded()
    }

    func clientCloses(code: UInt16, reason: String) {
        guard isServerOpen else { return }
        hasClosed = true
        socket?.close(code: Self.sendable(code), reason: reason)
    }

    /// Returns whether a frame contains `bye`. A long frame does not.
    private static func isBye(_ frame: [UInt8]) -> Bool {
        guard frame.count < 1_024, let value = try? JSONValue(parsing: frame) else { return false }
        return (value.array ?? [value]).contains { $0["type"]?.string == "bye" }
    }

    func clientBecameWritable() {
        if isCutWhenSent {
            client?.terminate()
        } else {
            socket?.setReadingPaused(false)
        }
    }

    /// The client sent a message that is not passed on, and its connection is being closed.
    func clientMessageRefused(_ breach: MessageBreach) {
        let code: UInt16 = breach == .notText ? 1_007 : 1_009
        report("connection \(number): a message of the client is refused: \(breach.rawValue)")
        socket?.close(code: code, reason: "")
    }

    func clientEnded() {
        client = nil
        // If the client has closed with a close frame, so does the server's connection. What the
        // server sends until then is recorded. Otherwise the server is cut, as the client was.
        guard !hasServerEnded, socket?.isClosing == true else { return finish() }
    }

    /// Ends the journal, and cuts the server's connection if it has not ended.
    private func finish() {
        socket = nil
        if let dialed { dialer.release(dialed) }
        dialed = nil
        journal.end(at: MonotonicClock.nowMicroseconds)
        finished(self)
    }

    /// Closes both sides, because the recording ends.
    func close() {
        hasClosed = true
        client?.close(code: 1_001, reason: "the recording ends")
        socket?.close(code: 1_001, reason: "the recording ends")
    }

    private func pauseClientIfNeeded() {
        let queued = socket?.queuedBytes ?? 0
        if queued > Self.queuedBytesMark { client?.setReadingPaused(true) }
    }

    // MARK: The server

    func opened() {
        isServerOpen = true
        for message in waiting { socket?.send(message.bytes, isBinary: message.isBinary) }
        waiting = []
        client?.setReadingPaused(false)
        pauseClientIfNeeded()
    }

    func dialingFailed(_ failure: DialFailure) {
        let reason =
            switch failure {
            case .refused(let status): "the server refused the upgrade with the status \(status)"
            case .unreachable(let reason): "the server cannot be reached: \(reason)"
            case .timedOut: "the server did not answer in time"
            case .urlInvalid(let url): "\(url) is not a URL of a server"
            }
        report("connection \(number): \(reason)")
        counts.update { $0.summary.unreachable += 1 }
        waiting = []
        socket = nil
        hasServerEnded = true
        client?.close(code: StandardCloseCode.badGateway.rawValue, reason: reason)
    }

    func received(_ message: [UInt8], isBinary: Bool) {
        if isBinary {
            reportBinary()
        } else {
            journal.recordServerFrame(message, at: MonotonicClock.nowMicroseconds)
        }
        counts.update { $0.summary.serverFrames += 1 }
        guard let client else { return }
        client.enqueue(message, isBinary: isBinary)
        if client.queuedBytes > Self.queuedBytesMark {
            socket?.setReadingPaused(true)
            client.requestWritable()
        }
    }

    func messageTooBig() {
        report("connection \(number): a message of the server has more than 16 MiB")
        client?.close(code: 1_009, reason: "message too big")
    }

    func queueShortened() {
        guard let socket, socket.queuedBytes <= Self.queuedBytesMark / 2 else { return }
        client?.setReadingPaused(false)
    }

    func ended(code: UInt16, reason: String) {
        isServerOpen = false
        hasServerEnded = true
        socket = nil
        if let dialed { dialer.release(dialed) }
        dialed = nil
        let isCut = code == Self.noCloseFrame
        // The answer to a close frame of this side is not recorded.
        if !isCut, !hasClosed || hasSentBye {
            journal.recordServerClose(
                code: code, reason: reason, at: MonotonicClock.nowMicroseconds)
        }
        guard let client else { return finish() }
        guard !isCut else {
            report("connection \(number): the server cut the connection")
            return cutClientWhenSent(client)
        }
        client.close(code: Self.sendable(code), reason: reason)
    }

    /// The code that stands for the end of a connection without a close frame.
    private static let noCloseFrame: UInt16 = 1_006

    /// Cuts the client, so that it sees the same as without the recorder: all frames of the server,
    /// and then no close frame.
    private func cutClientWhenSent(_ client: Connection) {
        guard !client.isWritable else { return client.terminate() }
        isCutWhenSent = true
        client.requestWritable()
    }

    /// Returns the code, or 1000 if there was none. Code 1005 cannot be sent.
    private static func sendable(_ code: UInt16) -> UInt16 { code == 1_005 ? 1_000 : code }

    private func reportBinary() {
        guard !hasReportedBinary else { return }
        hasReportedBinary = true
        report(
            "connection \(number): binary frames of the server are passed on, but not recorded")
    }
}

/// An upgrade request, with the subprotocol that was chosen from it.
final class ProxiedRequest: Sendable {
    let upgrade: UpgradeRequest
    /// Nil if the client offered none.
    let subprotocol: String?

    init(_ upgrade: UpgradeRequest, subprotocol: String?) {
        self.upgrade = upgrade
        self.subprotocol = subprotocol
    }
}
