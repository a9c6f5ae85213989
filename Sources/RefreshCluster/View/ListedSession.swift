internal import RefreshBroker
internal import RefreshProtocol

/// A session in a list, as operators see it. Source: docs/operations.md, "Admin".
package struct ListedSession: Hashable, Sendable {
    package var name: String
    /// The event loop of the session.
    package var loop: Int
    /// The state of the session, as the list names it.
    package var state: String
    package var ageMs: Int
    package var views: Int
    /// The client's subject, if it is authenticated.
    package var subject: String?
    /// The address of the client; nil if it is unknown.
    package var peer: String?

    package init(
        name: String, loop: Int, state: String, ageMs: Int, views: Int, subject: String? = nil,
        peer: String? = nil
    ) {
        self.name = name
        self.loop = loop
        self.state = state
        self.ageMs = ageMs
        self.views = views
        self.subject = subject
        self.peer = peer
    }

    /// Throws if a member is missing, has the wrong type or is out of its range.
    init(_ members: MessageMembers) throws(BusMessageDrop) {
        name = try members.text("session", bytesMax: BusMessageLimits.sessionNameBytesMax)
        guard !name.isEmpty else { throw .member }
        loop = try members.integer("loop", in: 0...Int(UInt16.max))
        state = try members.text("state", bytesMax: BusMessageLimits.sessionStateBytesMax)
        ageMs = try members.integer("ageMs")
        views = try members.integer("views")
        subject = try members.optionalText("subject", bytesMax: BusMessageLimits.subjectBytesMax)
        peer = try members.optionalText("peer", bytesMax: BusMessageLimits.addressBytesMax)
    }

    /// Appends the session as a JSON object. `node`: the node that holds the session, if the list
    /// names it.
    func write(to out: inout ByteBuffer, node: NodeID? = nil) {
        out.append(literal: #"{"session":"#)
        out.appendQuoted(name)
        out.appendMember("loop", loop)
        out.appendMember("state", state)
        out.appendMember("ageMs", min(max(0, ageMs), BusMessageLimits.integerMax))
        if let subject { out.appendMember("subject", subject) }
        if let peer { out.appendMember("peer", peer) }
        out.appendMember("views", views)
        if let node { out.appendMember("node", node.text) }
        out.append(UInt8(ascii: "}"))
    }
}

/// The first sessions of one node whose names sort after a given name, in the order of their names.
package struct SessionPage: Hashable, Sendable {
    package var sessions: [ListedSession]
    /// Whether the node has more sessions, which sort after these.
    package var hasMore: Bool

    package init(_ sessions: [ListedSession] = [], hasMore: Bool = false) {
        self.sessions = sessions
        self.hasMore = hasMore
    }

    init(_ members: MessageMembers) throws(BusMessageDrop) {
        var sessions: [ListedSession] = []
        for session in try members.objects(
            "sessions", countMax: BusMessageLimits.listedSessionsMax)
        {
            sessions.append(try ListedSession(session))
        }
        self.init(sessions, hasMore: try members.optionalBool("more") ?? false)
    }

    func write(to out: inout ByteBuffer) {
        out.appendList("sessions", sessions) { session, out in session.write(to: &out) }
        if hasMore {
            out.appendName("more")
            out.append(true)
        }
    }

    /// Returns the first half of the sessions.
    var firstHalf: SessionPage {
        SessionPage(Array(sessions.prefix(sessions.count / 2)), hasMore: true)
    }
}
