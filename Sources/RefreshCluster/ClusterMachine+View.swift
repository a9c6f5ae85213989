package import RefreshBroker
package import RefreshProtocol

/// What operators see of the whole cluster. Source: docs/cluster.md, "One view of the cluster".
extension ClusterMachine {
    // MARK: - The nodes

    /// The answer to `GET /v1/cluster`: one JSON object. `cluster`: the name of the cluster.
    package func overview(ofCluster cluster: String, at now: Instant) -> [UInt8] {
        var out = ByteBuffer(capacity: 512)
        out.append(literal: #"{"cluster":"#)
        out.appendQuoted(cluster)
        out.appendMember("node", own.text)
        out.appendName("connected")
        out.append(isConnected)
        out.appendName("nodes")
        out.append(UInt8(ascii: "["))
        var separator = MemberSeparator()
        for node in nodes {
            separator.appendSeparator(to: &out)
            out.append(literal: #"{"node":"#)
            out.appendQuoted(node.id.text)
            out.appendMember("name", node.name)
            out.appendMember("version", node.version)
            out.appendMember("sessions", node.sessions)
            out.appendName("workers")
            out.appendTexts(node.workers)
            out.appendMember("ageMs", node.ageMs(at: now))
            out.appendMember("loads", node.id == own ? performedLoads.count : node.loads)
            out.appendMember("asked", asks.count(at: node.id))
            out.appendMember("performed", performedLoads.count(of: node.id))
            out.append(UInt8(ascii: "}"))
        }
        out.append(literal: "]}")
        return out.bytes
    }

    // MARK: - The sessions

    /// Requests the sessions of the other nodes.
    mutating func list(
        after: String?, id: UInt64, at now: Instant, into effects: inout [Effect]
    ) {
        guard membership.liveCount > 0 else {
            return effects.append(.listEnded(ClusterSessions(after: after), id: id))
        }
        guard let number = lists.open(id, after: after, nodes: membership.nodes, at: now) else {
            return effects.append(.listEnded(nil, id: id))
        }
        // A shorter name sorts before. `ClusterSessions` leaves out the names in between.
        let shortName = after?.shortened(toBytes: BusMessageLimits.sessionNameBytesMax)
        publishToAll(.list(after: shortName, number: number), into: &effects)
    }

    /// Handles the request of another node.
    mutating func startList(
        after: String?, _ id: RemoteListID, at now: Instant, into effects: inout [Effect]
    ) {
        guard membership.isLive(id.node) else { return }
        guard lists.admitsList(at: now) else {
            counters.listsRefused += 1
            return
        }
        effects.append(.listSessions(after: after, id))
    }

    /// Sends the sessions of this node to a node that has requested them, as many as fit into a
    /// message.
    mutating func answerList(
        _ page: SessionPage, _ id: RemoteListID, into effects: inout [Effect]
    ) {
        var page = page
        while true {
            let content = BusMessage.Content.listed(page, number: id.number)
            if let bytes = BusMessage(from: own, content).bytes, bytes.count <= payloadBytesMax {
                return publish(bytes, of: .listed, to: id.node, into: &effects)
            }
            // One session always fits, because each of its texts is short.
            guard page.sessions.count > 1 else { return }
            page = page.firstHalf
        }
    }

    mutating func receive(
        _ page: SessionPage, number: UInt64, from node: NodeID, into effects: inout [Effect]
    ) {
        guard let list = lists.receive(page, number: number, from: node) else { return }
        effects.append(.listEnded(list.sessions, id: list.id))
    }

    /// Ends the lists whose time is over; all lists if `now` is nil.
    mutating func endLists(at now: Instant?, into effects: inout [Effect]) {
        for list in now.map({ lists.removeDue(at: $0) }) ?? lists.removeAll() {
            effects.append(.listEnded(list.sessions, id: list.id))
        }
    }
}

/// The identity of a list of sessions that another node has requested.
package struct RemoteListID: Hashable, Sendable {
    /// The node that requests the list.
    package var node: NodeID
    /// The number of the list at that node.
    package var number: UInt64

    package init(node: NodeID, number: UInt64) {
        self.node = node
        self.number = number
    }
}
