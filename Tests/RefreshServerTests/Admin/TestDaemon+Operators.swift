import Cryptography
import RefreshProtocol
import ScenarioKit
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import WireContract

/// Extensions for a daemon with a list of songs and a listener for operators, on two loops.
extension TestDaemon {
    static func withOperators(
        limits: String = "", loops: Int = 2, log: DaemonLog = .silent,
        _ change: (inout ConfigurationFile) throws -> Void = { _ in }
    ) throws -> TestDaemon {
        let yaml = """
            limits: { \(limits) }
            feeds:
              songs:
                backend: script
                paging: page
                size: 2
                parameters: [q]
                steps: [{ afterMs: 5, items: [{ n: secret-item-1 }, { n: secret-item-2 }] }]
                then: last
            """
        return try TestDaemon(yaml, loops: loops, log: log) { file in
            file.adminListeners = [try ListenAddress("127.0.0.1:0")]
            file.tokens = [
                AccessTokenSettings(
                    name: "operator", sha256: SHA256.digest(of: Array("master".utf8)),
                    may: [.administer])
            ]
            try change(&file)
        }
    }

    var adminPort: UInt16 { server.listeners.last?.port ?? 0 }

    /// Connects a watcher that receives all events from now on.
    func watching(_ query: String = "") async throws -> EventReader {
        let client = try await dialer.connect(
            "ws://127.0.0.1:\(adminPort)/v1/watch\(query)",
            subprotocol: ProtocolVersion.watchSubprotocol)
        let reader = EventReader(CheckedLine(client: client, sender: nil, peer: .watch))
        #expect(try await reader.next()["event"]?.string == "watching")
        return reader
    }

    /// Opens a session, and returns its client and its name.
    func named() async throws -> (client: DialedClient, name: String) {
        let client = try await connect()
        client.send(#"{"type":"hello","protocol":1,"client":"demo"}"#)
        let welcome = try JSONValue(
            parsing: try #require(await client.receive(within: .patient).text))
        return (client, try #require(welcome["session"]?.string))
    }

    /// Sends a request to the operators' listener and parses the answer.
    func order(
        _ method: String, _ path: String
    ) async throws -> (status: Int, body: JSONValue) {
        let answer = try await sendRequest(method, path, port: adminPort)
        return (answer.status, (try? JSONValue(parsing: answer.body)) ?? .null)
    }
}

/// Parses the frames of a watcher's connection, and checks each against the contract.
final class EventReader {
    let client: CheckedLine
    private var waiting: [JSONValue] = []
    /// All frames so far, for the report of a failure.
    private var received: [String] = []

    init(_ client: CheckedLine) { self.client = client }

    /// Returns the next event. Fails if none arrives in time.
    func next() async throws -> JSONValue {
        while waiting.isEmpty {
            let event = await client.receive(within: .patient)
            let text = try #require(event.text, "\(event) after \(received)")
            received.append(text)
            let value = try JSONValue(parsing: text)
            waiting = value.array ?? [value]
        }
        return waiting.removeFirst()
    }

    /// Returns the events up to and including the first event for which `isLast` returns true.
    func events(until isLast: (JSONValue) -> Bool) async throws -> [JSONValue] {
        var events: [JSONValue] = []
        while true {
            let event = try await next()
            events.append(event)
            if isLast(event) { return events }
        }
    }
}
