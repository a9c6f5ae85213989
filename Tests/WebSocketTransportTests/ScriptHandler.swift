@testable import WebSocketTransport

/// A handler that calls the closures of a test (`Script`). By default, it accepts every connection
/// and echoes every message.
final class ScriptHandler: TransportHandler {
    struct Script: Sendable {
        var admit: @Sendable (UpgradeRequest) -> UpgradeDecision = { _ in
            .accept(messageBytesMax: 65_536, tag: 7)
        }
        var opened: @Sendable (Connection) -> Void = { _ in }
        var received: @Sendable ([UInt8], Bool, Connection) -> Void = {
            bytes, isBinary, connection in
            connection.enqueue(bytes, isBinary: isBinary)
        }
        var buffered: @Sendable (Int) -> Void = { _ in }
        var writable: @Sendable (Connection) -> Void = { _ in }
        var closed: @Sendable (Connection) -> Void = { _ in }
        var respond: @Sendable (HTTPRequest) -> HTTPResponse = { _ in HTTPResponse(status: 404) }
        var bodyDecision: @Sendable (HTTPRequest) -> BodyDecision = { _ in .read(bytesMax: 0) }
        /// If the result is true, the request is answered later, with the ticket.
        var awaits: @Sendable (HTTPRequest, HTTPTicket) -> Bool = { _, _ in false }
        var arrived: @Sendable (IncomingConnection) -> ArrivalDecision = { _ in .accept(place: nil)
        }
        var left: @Sendable (ConnectionContext) -> Void = { _ in }
        var headTimedOut: @Sendable () -> Void = {}
        var woken: @Sendable () -> Void = {}
        var capturedHeaderNames: [String] = []
    }

    private let script: Script

    init(_ script: Script) {
        self.script = script
    }

    var capturedHeaderNames: [String] { script.capturedHeaderNames }
    func admit(_ request: UpgradeRequest) -> UpgradeDecision { script.admit(request) }
    func opened(_ connection: Connection) { script.opened(connection) }
    func received(_ message: Span<UInt8>, isBinary: Bool, on connection: Connection) {
        var bytes: [UInt8] = []
        for index in message.indices { bytes.append(message[index]) }
        script.received(bytes, isBinary, connection)
    }
    func buffered(bytes: Int) { script.buffered(bytes) }
    func becameWritable(_ connection: Connection) { script.writable(connection) }
    func closed(_ connection: Connection) { script.closed(connection) }
    func respond(to request: HTTPRequest) -> HTTPResponse { script.respond(request) }
    func respond(to request: HTTPRequest, ticket: HTTPTicket) -> HTTPResponse? {
        script.awaits(request, ticket) ? nil : respond(to: request)
    }
    func bodyDecision(for request: HTTPRequest) -> BodyDecision { script.bodyDecision(request) }
    func connectionAccepted(_ arrival: IncomingConnection) -> ArrivalDecision {
        script.arrived(arrival)
    }
    func connectionEnded(_ place: ConnectionContext) { script.left(place) }
    func headTimedOut() { script.headTimedOut() }
    func wakeupFired() { script.woken() }
}
