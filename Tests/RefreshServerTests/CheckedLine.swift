import RefreshProtocol
import Testing
import WebSocketTransport
import WireContract

/// A connection of a test. Its frames are checked against the contract in both directions.
struct CheckedLine {
    /// The check allows only the members that the contract names.
    static let contract = MessageCheck(SchemaStyle(isClosed: true))

    let client: DialedClient
    /// The role of the test on this connection. Nil if that role may not send messages.
    let sender: Speaker?
    /// The role of the daemon on this connection.
    let peer: Speaker

    /// Sends a message that conforms to the contract.
    func send(_ text: String, _ location: SourceLocation = #_sourceLocation) {
        #expect(mistakes(in: text).isEmpty, "\(text)", sourceLocation: location)
        client.send(text)
    }

    /// Sends a message that violates the contract.
    func send(wrong text: String, _ location: SourceLocation = #_sourceLocation) {
        #expect(!mistakes(in: text).isEmpty, "\(text)", sourceLocation: location)
        client.send(text)
    }

    private func mistakes(in text: String) -> [String] {
        guard let sender else { return ["this role may not send messages"] }
        return Self.contract.violations(inFrame: text, from: sender).map(\.description)
    }

    func receive(
        within limit: Duration, _ location: SourceLocation = #_sourceLocation
    ) async -> DialedEvent {
        let event = await client.receive(within: limit)
        if case .message(_, let isBinary) = event {
            #expect(!isBinary, "the message is binary", sourceLocation: location)
        }
        if let text = event.text {
            let findings = Self.contract.violations(inFrame: text, from: peer)
            #expect(findings.isEmpty, "\(text)", sourceLocation: location)
        }
        return event
    }

    func close() { client.close() }

    func cut() { client.terminate() }
}

extension TestDaemon {
    /// Connects a worker that has not registered.
    func worker(subprotocol: String? = "refresh.worker.v1") async throws -> CheckedLine {
        CheckedLine(
            client: try await dialer.connect(
                "ws://127.0.0.1:\(port)/v1/worker", subprotocol: subprotocol, origin: nil),
            sender: .worker, peer: .broker)
    }

    /// Connects a client that has not sent `hello`.
    func checkedClient() async throws -> CheckedLine {
        CheckedLine(client: try await connect(), sender: .client, peer: .daemon)
    }
}
