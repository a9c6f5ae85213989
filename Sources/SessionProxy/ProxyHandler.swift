internal import RefreshProtocol
internal import RefreshServer
internal import RefreshSession
internal import ScenarioKit
internal import WebSocketTransport

/// The handler of the recorder's loop. It accepts every client, and dials the server for each.
final class ProxyHandler: TransportHandler {
    private let settings: RecordingProxy.Settings
    private let dialer: ProxyDialer
    private let writer: JournalWriter
    private let counts: RecordingCounts
    /// The connections whose clients are connected, by `Connection.key`.
    private var connections: [UInt64: ProxiedConnection] = [:]
    /// The connections of which one side is open, by number.
    private var unfinished: [Int: ProxiedConnection] = [:]
    private var lastNumber = 0
    /// Called when the last connection has ended, after `closeAll`; nil before.
    private var closed: (@Sendable () -> Void)?

    /// The subprotocols of the daemon. The recorder answers an upgrade before the server does, so
    /// it must know them.
    static let subprotocols = [
        ProtocolVersion.subprotocol, ProtocolVersion.workerSubprotocol,
        ProtocolVersion.watchSubprotocol,
    ]

    init(
        _ settings: RecordingProxy.Settings, dialer: ProxyDialer, writer: JournalWriter,
        counts: RecordingCounts
    ) {
        self.settings = settings
        self.dialer = dialer
        self.writer = writer
        self.counts = counts
    }

    var capturedHeaderNames: [String] { ["cookie"] }

    func admit(_ request: UpgradeRequest) -> UpgradeDecision {
        guard closed == nil else { return .refuse(HTTPResponse(status: 503)) }
        let chosen = request.subprotocols.first(where: Self.subprotocols.contains)
        return .accept(
            messageBytesMax: ProxiedConnection.messageBytesMax, tag: 0,
            subprotocol: chosen.flatMap(Self.subprotocols.firstIndex) ?? 0,
            owner: ProxiedRequest(request, subprotocol: chosen))
    }

    func respond(to request: HTTPRequest) -> HTTPResponse { HTTPResponse(status: 404) }

    func opened(_ connection: Connection) {
        guard let request = connection.owner as? ProxiedRequest else { return }
        lastNumber += 1
        let number = lastNumber
        let target = target(of: request.upgrade)
        let file = writer.makeJournal(
            ofSession: "connection-\(number)",
            inFile: settings.place.fileName(ofConnection: number))
        let path = settings.place.path(ofFile: file.name)
        counts.update {
            $0.summary.files.append(path)
            $0.files.append(file)
        }
        settings.report("connection \(number) of \(request.upgrade.peerAddress): \(path)")
        let recorder = JournalRecorder(
            program: "refresh-probe/\(DaemonVersion.current)",
            url: ForwardedURL.text(of: target, masked: !settings.keepsTokens),
            connection: number)
        let proxied = ProxiedConnection(
            number, client: connection, dialer: dialer,
            journal: ConnectionJournal(
                file, recorder: recorder, keepsTokens: settings.keepsTokens,
                began: MonotonicClock.nowMicroseconds),
            counts: counts, report: settings.report
        ) { [weak self] in self?.finish($0) }
        connections[connection.key] = proxied
        unfinished[number] = proxied
        proxied.dial(target, for: request)
    }

    private func target(of request: UpgradeRequest) -> DialTarget {
        var target = settings.server.target
        target.path = ForwardedURL.path(
            of: target.path, requested: request.path, arguments: request.arguments)
        return target
    }

    func received(_ message: Span<UInt8>, isBinary: Bool, on connection: Connection) {
        let bytes = unsafe message.withUnsafeBufferPointer { unsafe Array($0) }
        connections[connection.key]?.clientSent(bytes, isBinary: isBinary)
    }

    func messageRefused(_ breach: MessageBreach, on connection: Connection) {
        connections[connection.key]?.clientMessageRefused(breach)
    }

    func closeReceived(code: UInt16, reason: String, on connection: Connection) {
        connections[connection.key]?.clientCloses(code: code, reason: reason)
    }

    func becameWritable(_ connection: Connection) {
        connections[connection.key]?.clientBecameWritable()
    }

    func closed(_ connection: Connection) {
        connections.removeValue(forKey: connection.key)?.clientEnded()
    }

    private func finish(_ proxied: ProxiedConnection) {
        unfinished[proxied.number] = nil
        if unfinished.isEmpty { closed?() }
    }

    func wakeupFired() {}

    /// Closes all connections and accepts no others. Calls `completion` when all have ended.
    func closeAll(_ completion: @escaping @Sendable () -> Void) {
        closed = completion
        for proxied in unfinished.values { proxied.close() }
        if unfinished.isEmpty { completion() }
    }
}
