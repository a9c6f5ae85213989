package import RefreshBroker
internal import RefreshProtocol

/// The sessions of several nodes whose names sort after a given name, merged in the order of their
/// names. Source: docs/cluster.md, "The sessions of all nodes".
///
/// A node that has more sessions than its page shows limits the list: sessions that sort after the
/// last one of its page belong to the next list. So each list is complete up to its last name.
package struct ClusterSessions: Hashable, Sendable {
    private struct Row: Hashable, Sendable {
        var session: ListedSession
        var node: NodeID
    }

    /// The live nodes that have not answered, in ascending order of their identities.
    package internal(set) var missing: [ClusterNode] = []
    private let after: String?
    private var rows: [Row] = []
    /// The last name that the list can contain; nil if it can contain every name after `after`.
    private var last: String?

    package init(after: String?) { self.after = after }

    /// Adds the sessions of a node. Sessions that do not sort after `after` are left out, whatever
    /// the node has sent.
    package mutating func add(_ page: SessionPage, of node: NodeID) {
        let sessions = page.sessions.filter { session in after.map { session.name > $0 } ?? true }
        if page.hasMore, let name = sessions.lazy.map(\.name).max() {
            last = min(last ?? name, name)
        }
        rows += sessions.map { Row(session: $0, node: node) }
        truncate()
    }

    /// Adds the sessions that another list has collected, and its missing nodes.
    package mutating func add(_ other: ClusterSessions) {
        if let name = other.last { last = min(last ?? name, name) }
        rows += other.rows
        missing += other.missing
        truncate()
    }

    /// Removes the sessions that the list cannot contain. Sessions with the last name all stay,
    /// because the next list begins after this name.
    private mutating func truncate() {
        rows.sort { ($0.session.name, $0.node) < ($1.session.name, $1.node) }
        if rows.count > BusMessageLimits.listedSessionsMax {
            let name = rows[BusMessageLimits.listedSessionsMax - 1].session.name
            if rows.contains(where: { $0.session.name > name }) { last = min(last ?? name, name) }
        }
        if let last { rows.removeAll { $0.session.name > last } }
    }

    /// The answer to an operator: one JSON object.
    package var json: [UInt8] {
        var out = ByteBuffer(capacity: 160 * rows.count + 64)
        out.append(literal: #"{"sessions":["#)
        var separator = MemberSeparator()
        for row in rows {
            separator.appendSeparator(to: &out)
            row.session.write(to: &out, node: row.node)
        }
        out.append(UInt8(ascii: "]"))
        if let last { out.appendMember("next", last) }
        out.appendName("missing")
        out.append(UInt8(ascii: "["))
        separator = MemberSeparator()
        for node in missing {
            separator.appendSeparator(to: &out)
            out.append(literal: #"{"node":"#)
            out.appendQuoted(node.id.text)
            out.appendMember("name", node.name)
            out.append(UInt8(ascii: "}"))
        }
        out.append(literal: "]}")
        return out.bytes
    }
}
