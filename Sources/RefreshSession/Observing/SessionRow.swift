internal import RefreshProtocol

/// One row of the list of sessions that an operator can request.
package struct SessionRow: Sendable {
    package let name: String
    package let loop: UInt16
    package let state: SessionState
    package let ageMs: Int
    package let views: Int
    /// The client's subject, if it is authenticated.
    package let subject: String?
    /// The address of the peer; nil if it is unknown.
    package let peer: String?

    /// The state of a session.
    package enum SessionState: String, Sendable {
        /// The client has not sent `hello`.
        case silent
        case open
        /// The connection is being closed.
        case closing
        /// The session waits for its client to resume.
        case detached
    }

    /// Appends the members of the row, without `views`, to a JSON object. The caller has already
    /// written `{`.
    func write(to text: inout ByteBuffer) {
        text.append(literal: #""session":"#)
        text.appendQuoted(name)
        text.appendMember("loop", Int(loop))
        text.appendMember("state", state.rawValue)
        text.appendMember("ageMs", ageMs)
        if let subject { text.appendMember("subject", subject) }
        if let peer { text.appendMember("peer", peer) }
    }

    /// Sorts the rows by name, and returns the first `most` of them as JSON. If there are more
    /// rows, the JSON contains the name of its last row. With this name, the next request gets the
    /// rows that follow.
    package static func page(of rows: [SessionRow], most: Int) -> [UInt8] {
        let sorted = rows.sorted { $0.name < $1.name }
        var text = ByteBuffer(capacity: 128 * min(rows.count, most) + 64)
        text.append(literal: #"{"sessions":["#)
        for (index, row) in sorted.prefix(most).enumerated() {
            text.append(literal: index == 0 ? "{" : ",{")
            row.write(to: &text)
            text.appendMember("views", row.views)
            text.append(0x7D as UInt8)
        }
        text.append(0x5D as UInt8)
        if sorted.count > most { text.appendMember("next", sorted[most - 1].name) }
        text.append(0x7D as UInt8)
        return text.bytes
    }
}
