internal import RefreshBroker
package import RefreshProtocol

/// The head of a session's resume history: which state of the session is the newest one.
package struct SessionHead: Hashable, Sendable {
    /// The history, with at least one step. Its last line is the line of this head.
    package let history: ResumeHistory
    /// The number of the last `welcome` on the last line that the client has certainly received.
    package let received: UInt64

    /// Returns nil if the history has no steps.
    package init?(_ history: ResumeHistory, received: UInt64) {
        guard !history.steps.isEmpty else { return nil }
        self.history = history
        self.received = received
    }

    /// The name of the last line. It is unique: no two runs of a session have the same line.
    var line: String { history.steps.last?.line ?? "" }

    /// Whether the client has received the last `welcome`.
    var isConfirmed: Bool { received >= history.welcomes }

    /// Whether the state with this head must be replaced by the state with the head `other`.
    func isSuperseded(by other: SessionHead) -> Bool {
        history.isSuperseded(by: other.history, received: received)
    }

    /// Whether the session is as it was with the head `other`: on the same line, and not resumed by
    /// its client since then.
    package func isUnchanged(since other: SessionHead) -> Bool {
        line == other.line && history.welcomes <= other.history.welcomes
    }

    /// Whether both heads continue the same state, each by one line of its own.
    func isSibling(of other: SessionHead) -> Bool {
        history.steps.dropLast() == other.history.steps.dropLast()
    }
}

/// The entry of a session in the store. Source: docs/cluster.md, "One holder of a session".
struct StoredHead: Hashable, Sendable {
    /// The maximum length of an entry in bytes.
    static let bytesMax = 4096
    /// The maximum length of the name of a line in bytes.
    static let lineBytesMax = 64
    static let version = 1
    private static let limits = JSONLimits(depthMax: 4, stringBytesMax: bytesMax)

    /// The node that has written the entry.
    var node: NodeID
    var head: SessionHead
    /// Whether the client has ended the session by `bye`.
    var isRevoked = false

    init(node: NodeID, _ head: SessionHead, isRevoked: Bool = false) {
        self.node = node
        self.head = head
        self.isRevoked = isRevoked
    }

    /// Reads an entry. Returns nil if the bytes are not an entry of this version.
    init?(reading bytes: [UInt8]) {
        guard bytes.count <= Self.bytesMax,
            let members = try? MessageMembers(
                reading: bytes, count: bytes.count, limits: Self.limits),
            (try? members.integer("v")) == Self.version,
            let node = try? members.node("from"),
            let list = try? members.list("head", countMax: 2 * ResumeHistory.stepsMax),
            let received = try? members.integer("received"),
            let isRevoked = try? members.optionalBool("revoked") ?? false,
            let steps = Self.steps(list),
            let head = SessionHead(ResumeHistory(steps), received: UInt64(received))
        else { return nil }
        self.init(node: node, head, isRevoked: isRevoked)
    }

    /// Reads a list in which the name of a line and its number of `welcome` messages alternate.
    private static func steps(_ list: [JSONValue]) -> [ResumeHistory.Step]? {
        guard list.count.isMultiple(of: 2) else { return nil }
        var steps: [ResumeHistory.Step] = []
        for index in stride(from: 0, to: list.count, by: 2) {
            guard let line = try? MessageMembers.text(list[index], bytesMax: lineBytesMax),
                let welcomes = try? MessageMembers.integer(
                    list[index + 1], in: 0...BusMessageLimits.integerMax)
            else { return nil }
            steps.append(ResumeHistory.Step(line, UInt64(welcomes)))
        }
        return steps
    }

    var bytes: [UInt8] {
        var out = ByteBuffer(capacity: 256)
        out.append(literal: #"{"v":"#)
        out.append(Self.version)
        out.append(literal: #","from":"#)
        out.appendQuoted(node.text)
        out.append(literal: #","head":["#)
        for (index, step) in head.history.steps.enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            out.appendQuoted(step.line)
            out.append(UInt8(ascii: ","))
            out.append(step.welcomes)
        }
        out.append(literal: #"],"received":"#)
        out.append(head.received)
        if isRevoked { out.append(literal: #","revoked":true"#) }
        out.append(UInt8(ascii: "}"))
        return out.bytes
    }
}
