internal import RefreshProtocol
internal import ScenarioKit

/// The rules that every client must obey on each of its connections, in all cases. Source:
/// docs/conformance.md, "Checks of every case for clients".
struct ConnectionRules {
    private var greeted: Set<Int> = []
    private var lastSeq: [Int: Int] = [:]
    private var feature = FeatureRules()
    private(set) var frameCount = 0

    /// Returns the violations in a frame of the client.
    mutating func violations(
        in messages: [JSONValue], bytes: Int, on line: Int, of session: PlayedSession
    ) -> [String] {
        frameCount += 1
        var findings: [String] = []
        if messages.count > session.batchMessagesMax {
            findings.append(
                "a frame of \(messages.count) messages; the maximum is \(session.batchMessagesMax)"
            )
        }
        if bytes > session.frameBytesMax {
            findings.append(
                "a frame of \(bytes) bytes; the maximum is \(session.frameBytesMax)")
        }
        findings += feature.violations(in: messages, of: session)
        for message in messages {
            let type = message["type"]?.string ?? ""
            if type == "hello" {
                if !greeted.insert(line).inserted { findings.append("a second `hello`") }
            } else if !greeted.contains(line), type != "ping", type != "bye" {
                findings.append("`\(type)` before `hello`")
            }
            if let seq = message["seq"]?.wholeNumber {
                let last = lastSeq[line] ?? 0
                if seq <= last { findings.append("the `seq` \(seq) after \(last)") }
                lastSeq[line] = max(seq, last)
            }
            if let generation = message["generation"]?.number, let view = message["view"]?.string,
                let known = session.generations[view], Double(known) != generation
            {
                findings.append(
                    "the `generation` \(JSONValue.number(generation).text) for a view "
                        + "with generation \(known)"
                )
            }
        }
        return findings
    }
}

/// An event of a client on one of its connections to the grading server.
struct ConnectionEvent: Sendable {
    enum Kind: Hashable, Sendable {
        /// The client requests an upgrade to a WebSocket, with these subprotocols.
        case upgradeRequested(subprotocols: [String], isLetIn: Bool)
        case opened
        case message(String)
        /// A binary frame.
        case binaryMessage
        case disconnected
    }

    /// The number of the connection. Connections are numbered from 1, in the order in which they
    /// are opened.
    var connection: Int
    var kind: Kind
    /// The time on the server's clock.
    var atMs: Double
}
