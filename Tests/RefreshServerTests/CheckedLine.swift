import RefreshProtocol
import Testing
import WebSocketTransport
import WireContract

/// A connection of a test whose frames are held to the contract, in both directions.
struct CheckedLine {
    /// No member may stand in them that is not named.
    static let contract = MessageCheck(SchemaStyle(isClosed: true))

    let client: DialedClient
    /// Who the test is there; nil: somebody who may say nothing.
    let says: Speaker?
    /// Who the daemon is there.
    let hears: Speaker

    /// Says what the contract knows.
    func send(_ text: String, _ location: SourceLocation = #_sourceLocation) {
        #expect(mistakes(in: text).isEmpty, "\(text)", sourceLocation: location)
        client.send(text)
    }

    /// Says what the contract does not know.
    func send(wrong text: String, _ location: SourceLocation = #_sourceLocation) {
        #expect(!mistakes(in: text).isEmpty, "\(text)", sourceLocation: location)
        client.send(text)
    }

    private func mistakes(in text: String) -> [String] {
        guard let says else { return ["may say nothing"] }
        return Self.contract.violations(inFrame: text, from: says).map(\.description)
    }

    func receive(
        within limit: Duration, _ location: SourceLocation = #_sourceLocation
    ) async -> DialedEvent {
        let event = await client.receive(within: limit)
        if case .message(_, let isBinary) = event {
            #expect(!isBinary, "no message is of bytes", sourceLocation: location)
        }
        if let text = event.text {
            let findings = Self.contract.violations(inFrame: text, from: hears)
            #expect(findings.isEmpty, "\(text)", sourceLocation: location)
        }
        return event
    }

    func close() { client.close() }

    func cut() { client.terminate() }
}

extension TestDaemon {
    /// A worker that has connected, and not registered.
    func worker(subprotocol: String? = "refresh.worker.v1") async throws -> CheckedLine {
        CheckedLine(
            client: try await dialer.connect(
                "ws://127.0.0.1:\(port)/v1/worker", subprotocol: subprotocol, origin: nil),
            says: .worker, hears: .broker)
    }

    /// A client that has connected, and not said hello.
    func checkedClient() async throws -> CheckedLine {
        CheckedLine(client: try await connect(), says: .client, hears: .daemon)
    }
}
