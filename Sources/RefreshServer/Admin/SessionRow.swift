internal import RefreshProtocol

/// A session in the list of all.
struct SessionRow: Sendable {
    let name: String
    let loop: UInt16
    let state: SessionState
    let ageMs: Int
    let views: Int
    /// Who the client is, where it is authenticated.
    let subject: String?
    /// The address of the other side; nil: there is none.
    let peer: String?

    /// How far a session has come.
    enum SessionState: String {
        /// The client has not said `hello`.
        case silent
        case open
        /// The connection is being closed.
        case closing
        /// The session waits for its client.
        case detached
    }

    /// Appends its members; `{` stands before them.
    func write(to text: inout ByteBuffer) {
        text.append(literal: #""session":"#)
        text.appendQuoted(name)
        text.member("loop", Int(loop))
        text.member("state", state.rawValue)
        text.member("ageMs", ageMs)
        if let subject { text.member("subject", subject) }
        if let peer { text.member("peer", peer) }
    }

    /// The first of them by name, and the name to go on behind.
    static func page(of rows: [SessionRow], most: Int) -> [UInt8] {
        let sorted = rows.sorted { $0.name < $1.name }
        var text = ByteBuffer(capacity: 128 * min(rows.count, most) + 64)
        text.append(literal: #"{"sessions":["#)
        for (index, row) in sorted.prefix(most).enumerated() {
            text.append(literal: index == 0 ? "{" : ",{")
            row.write(to: &text)
            text.member("views", row.views)
            text.append(0x7D as UInt8)
        }
        text.append(0x5D as UInt8)
        if sorted.count > most { text.member("next", sorted[most - 1].name) }
        text.append(0x7D as UInt8)
        return text.bytes
    }
}
