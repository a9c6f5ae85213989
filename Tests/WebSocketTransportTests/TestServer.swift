@testable import WebSocketTransport

/// A server of real event loops, on a port that the system chooses. The loops stop when the test
/// releases the server.
final class TestServer: Sendable {
    let loops: [EventLoop]
    let host: String
    let port: UInt16
    private let identity: TLSIdentity?

    init(
        host: String = "127.0.0.1", loops count: Int = 1,
        configuration: LoopConfiguration = LoopConfiguration(), identity: TLSIdentity? = nil,
        proxies: TrustedProxies = TrustedProxies(),
        _ change: (inout ScriptHandler.Script) -> Void = { _ in }
    ) throws {
        var script = ScriptHandler.Script()
        change(&script)
        let sockets = try ListeningSocket.openGroup(host: host, port: 0, count: count)
        self.host = host
        self.identity = identity
        port = sockets.first?.port ?? 0
        let ready = script
        loops = try sockets.enumerated().map { index, socket in
            var configuration = configuration
            configuration.index = index
            var socket = socket
            socket.speaksTLS = identity != nil
            return try EventLoop(
                configuration: configuration, listeners: [socket], identity: identity,
                proxies: proxies
            ) { _ in ScriptHandler(ready) }
        }
        for loop in loops { loop.start() }
    }

    deinit {
        for loop in loops { loop.stop() }
    }

    var loop: EventLoop { loops[0] }

    var url: String {
        "\(identity == nil ? "ws" : "wss")://\(host.contains(":") ? "[\(host)]" : host):\(port)/v1/session"
    }

    /// Runs a job on the first loop and waits for its result. Returns nil if there is no result
    /// within a minute.
    func onLoop<Value: Sendable>(_ job: @escaping @Sendable (EventLoop) -> Value) -> Value? {
        let result = Recorder<Value>()
        loop.post { [loop] in result.record(job(loop)) }
        guard result.waitUntil({ !$0.isEmpty }) else { return nil }
        return result.all.first
    }
}
