internal import RefreshProtocol
internal import WebSocketTransport

/// One loop's connections to the conformance echo, which sends back each message. Used on the
/// loop's thread only.
struct EchoConnections {
    private var connections: [UInt64: Connection] = [:]

    mutating func opened(_ connection: Connection) { connections[connection.key] = connection }

    mutating func closed(_ connection: Connection) { connections[connection.key] = nil }

    func received(_ message: Span<UInt8>, isBinary: Bool, on connection: Connection) {
        let bytes = unsafe message.withUnsafeBufferPointer { unsafe Array($0) }
        connection.enqueue(bytes, isBinary: isBinary)
    }

    /// Closes all echo connections, because the daemon stops.
    func drain() {
        for connection in connections.values {
            connection.close(
                code: CloseCode.draining.rawValue, reason: FaultCode.draining.rawValue)
        }
    }
}
