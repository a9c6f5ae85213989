internal import ScenarioKit
package import WebSocketTransport

/// A test input below the layer of the protocol's messages, such as an unusual handshake, a broken
/// frame or a flood. A server must tolerate or reject the input. A probe is a value, so that it can
/// be sent to any server and shown in any report.
package struct HandshakeProbe: Sendable {
    /// The actions of a probe, over one connection.
    enum Step: Sendable {
        /// Sends a request head. `headers` replaces headers of a valid upgrade. A nil value removes
        /// the header.
        case request(
            method: String = "GET", path: String? = nil, version: String = "HTTP/1.1",
            headers: [String: String?] = [:])
        /// Sends a valid upgrade, which the server must answer with 101.
        case upgrade
        /// Sends a valid upgrade directly followed by a frame, without waiting for the answer to
        /// the upgrade.
        case upgradeWithEarlyFrame(Frame)
        case bytes([UInt8])
        case frame(Frame)
        /// Sends bytes one at a time, `everyMs` apart, until all are sent or the server stops
        /// accepting them. The head of an answer that arrives meanwhile is the server's reaction.
        case drip([UInt8], everyMs: Int)
        /// Sends the same frame `count` times, or until the server stops accepting it.
        case flood(Frame, count: Int)
        /// Closes the sending side of the connection. Bytes from the server are still read.
        case endSending
        /// Sends nothing more, not even a pong, and ignores all messages. Keeps the connection open
        /// until the server ends it.
        case stopResponding
    }

    /// A WebSocket frame, valid or not.
    struct Frame: Sendable {
        var opcode: UInt8 = 1
        var payload: [UInt8] = []
        var isFinal = true
        var isMasked = true
        /// The length in the head of the frame. If it is nil, the head has the actual length of the
        /// payload.
        var announcedLength: UInt64?
    }

    /// The last reaction of the server to a probe.
    package enum Outcome: Hashable, Sendable, CustomStringConvertible {
        /// The server answered the request with this status.
        case status(Int)
        /// The server closed the WebSocket with this code.
        case closed(UInt16)
        /// The server sent a text message that contains this string.
        case message(String)
        /// The server ended the connection without a close frame or an answer.
        case hungUp
        /// The server did not react.
        case silent
        /// No connection could be opened.
        case unreachable

        package var description: String {
            switch self {
            case .status(let status): "answered with status \(status)"
            case .closed(let code): "closed the connection with \(code)"
            case .message(let text): "sent \(text)"
            case .hungUp: "ended the connection"
            case .silent: "did not react"
            case .unreachable: "could not be reached"
            }
        }

        /// Returns whether the reaction `other` meets this expected reaction. If this reaction is a
        /// message, `other` must be a message that contains the text of this reaction.
        func matches(_ other: Outcome) -> Bool {
            if case .message(let part) = self, case .message(let text) = other {
                return text.contains(part)
            }
            return self == other
        }
    }

    /// The unique, permanent id: `handshake-…` or `frames-…`.
    package let id: String
    package let description: String
    package let expectation: String
    /// The section that documents the requirement.
    package let reference: String
    /// The timeout of the server that the probe waits for, by its name in `welcome.limits`. Nil if
    /// the probe does not wait for a timeout.
    package let awaitedLimit: String?
    let steps: [Step]
    /// The correct reactions.
    let passes: [Outcome]
    /// The reactions that deviate from the statement. The verdict on them is non-strict, which is
    /// not a failure.
    let deviations: [Outcome]

    init(
        _ id: String, _ description: String, expects expectation: String, see reference: String,
        awaiting awaitedLimit: String? = nil, _ steps: [Step], passes: [Outcome],
        deviations: [Outcome] = []
    ) {
        self.id = id
        self.description = description
        self.expectation = expectation
        self.reference = "docs/\(reference)"
        self.awaitedLimit = awaitedLimit
        self.steps = steps
        self.passes = passes
        self.deviations = deviations
    }
}

extension DialTarget {
    /// Whether a server currently accepts connections at this address. The check opens and drops a
    /// connection without sending data, so the server does not create a session for it.
    package var isAcceptingConnections: Bool { RawSocket(host: host, port: port) != nil }
}
