/// One thing that a server must bear or refuse below the messages of the protocol: a strange
/// handshake, a broken frame, a flood. A value, so that any server can be probed and any report can
/// show it.
package struct HandshakeProbe: Sendable {
    /// What is done, in this order, over one connection.
    enum Step: Sendable {
        /// Sends a request head; `headers` replaces those of a right upgrade, nil takes one away.
        case request(
            method: String = "GET", path: String? = nil, version: String = "HTTP/1.1",
            headers: [String: String?] = [:])
        /// A right upgrade, which must be answered 101.
        case upgrade
        /// A right upgrade with a frame behind it, before it is answered.
        case hastyUpgrade(Frame)
        case bytes([UInt8])
        case frame(Frame)
        /// Bytes one at a time, so many ms apart, until all are sent or nobody takes them.
        case drip([UInt8], everyMs: Int)
        /// The same frame so many times, until nobody takes it.
        case flood(Frame, count: Int)
        /// Our side of the connection ends, and its other side is listened to.
        case endSending
        /// Nothing more is sent, no pong either, and the connection stays, until the server ends
        /// it, whatever it says meanwhile.
        case fallMute
    }

    /// A WebSocket frame, right or wrong.
    struct Frame: Sendable {
        var opcode: UInt8 = 1
        var payload: [UInt8] = []
        var isFinal = true
        var isMasked = true
        /// The length that the head tells, where it is not the payload's.
        var announced: UInt64?
    }

    /// What the server did in the end.
    package enum Outcome: Hashable, Sendable, CustomStringConvertible {
        /// It answered the request with this status.
        case status(Int)
        /// It closed the WebSocket with this code.
        case closed(UInt16)
        /// It said a text that has this in it.
        case said(String)
        /// It ended the connection without a word.
        case hungUp
        /// It did nothing.
        case silent
        /// It took the connection away before the probe was done: nobody is there.
        case unreachable

        package var description: String {
            switch self {
            case .status(let status): "status \(status)"
            case .closed(let code): "closed with \(code)"
            case .said(let text): "said \(text)"
            case .hungUp: "hung up"
            case .silent: "did nothing"
            case .unreachable: "is not there"
            }
        }

        /// Whether what came is what this expects: of a text a part is enough.
        func covers(_ other: Outcome) -> Bool {
            if case .said(let part) = self, case .said(let text) = other {
                return text.contains(part)
            }
            return self == other
        }
    }

    /// Unique and lasting: `handshake-…` or `frames-…`.
    package let id: String
    package let description: String
    package let expectation: String
    /// Where it is documented.
    package let reference: String
    /// The time-out of the server's own that it waits for, by its name in `welcome.limits`; nil: it
    /// takes moments.
    package let awaitedLimit: String?
    let steps: [Step]
    /// What is right.
    let passes: [Outcome]
    /// What is a known deviation, and why it is one.
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
