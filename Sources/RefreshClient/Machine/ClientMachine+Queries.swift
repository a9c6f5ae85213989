package import RefreshProtocol

/// The queries of a view that the daemon has not handled yet. Each can be refused.
struct PendingQueries: Hashable, Sendable {
    private struct Query: Hashable {
        var seq: UInt64
        var parameters: JSONValue
        /// Whether the client removes the items at once.
        var clears: Bool
    }

    /// The parameters of the last query that the daemon has handled; nil: none.
    private(set) var accepted: JSONValue?
    private var sent: [Query] = []

    /// The view has these parameters now.
    init(accepted: JSONValue?) { self.accepted = accepted }

    /// The parameters of the newest query.
    var newest: JSONValue? { sent.last?.parameters ?? accepted }

    /// The number of the newest query; nil if the daemon has handled all.
    var newestSeq: UInt64? { sent.last?.seq }

    /// Whether a query removes the items. The daemon ignores a query with the parameters of the
    /// query before it.
    var clearsItems: Bool {
        zip([accepted] + sent.map(\.parameters), sent).contains { before, query in
            query.clears && !query.parameters.hasMembers(of: before)
        }
    }

    mutating func add(_ parameters: JSONValue, clears: Bool, seq: UInt64) {
        sent.append(Query(seq: seq, parameters: parameters, clears: clears))
    }

    /// Removes the query with this number, which the daemon has refused. Returns whether there was
    /// one.
    mutating func refuse(_ seq: Double?) -> Bool {
        guard let index = sent.firstIndex(where: { Double($0.seq) == seq }) else { return false }
        sent.remove(at: index)
        return true
    }

    /// The queries without those that the daemon has handled; nil if none are left.
    func settled(upTo ack: UInt64) -> Self? {
        var rest = self
        while let first = rest.sent.first, first.seq <= ack {
            rest.accepted = first.parameters
            rest.sent.removeFirst()
        }
        return rest.sent.isEmpty ? nil : rest
    }

    mutating func renumber(_ numbers: [UInt64: UInt64]) {
        for index in sent.indices { sent[index].seq = numbers[sent[index].seq] ?? sent[index].seq }
    }
}

extension ClientMachine {
    /// Makes a new query of the view's feed. Nothing happens unless the feature `query` is in use.
    package mutating func query(
        _ name: String, parameters: [String: String], debounceMs: Double?, shown: ShownItems?,
        at now: Double
    ) -> [Effect] {
        guard let index = viewIndex(name), usedFeatures.contains("query") else { return [] }
        let values = JSONValue.object(
            parameters.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
        var message = Self.message("configure", name)
        message["parameters"] = values
        message["debounceMs"] = debounceMs.map { .number($0) }
        message["shown"] = shown.map { .string($0.rawValue) }
        if let report = report(message) { return [report] }
        let isOther = !values.hasMembers(of: views[index].body["parameters"])
        record(message, viewAt: index)
        if shown == .clear, isOther { views[index].clearItems() }
        return perform([message], at: now)
    }

    /// Records the query of the next message.
    private mutating func record(_ message: JSONValue, viewAt index: Int) {
        let parameters = message["parameters"]
        if let parameters, !views[index].isRefused {
            let present = PendingQueries(accepted: views[index].body["parameters"])
            queries[views[index].name, default: present].add(
                parameters, clears: message["shown"]?.string == ShownItems.clear.rawValue,
                seq: link.seq + 1)
        }
        views[index].body["parameters"] = parameters
    }

    /// The session is a fresh one, whose views have the parameters of `hello`. Later queries are
    /// made again, because their messages belong to the lost session.
    mutating func restateQueries(at now: Double) {
        let late = lateViews
        let made = queries.filter { !late.contains($0.key) }
        queries = queries.filter { late.contains($0.key) }
        for (name, pending) in made.sorted(by: { $0.key < $1.key }) {
            guard let index = viewIndex(name), !views[index].isRefused, let seq = pending.newestSeq,
                seq > helloSeq,
                let parameters = pending.newest
            else { continue }
            var message = Self.message("configure", name)
            message["parameters"] = parameters
            record(message, viewAt: index)
            keep(message, at: now)
        }
    }

    /// The daemon has refused a query, or the client has dropped it: the view keeps the parameters
    /// of the newest other one, and the items that only this query has removed. `message` has the
    /// view and the number of the query.
    mutating func restoreQuery(after message: JSONValue) {
        guard let name = message["view"]?.string, let index = viewIndex(name),
            var pending = queries[name]
        else { return }
        let wasClearing = pending.clearsItems
        guard pending.refuse(message["seq"]?.number) else { return }
        queries[name] = pending
        views[index].body["parameters"] = pending.newest
        if wasClearing, !pending.clearsItems { views[index].restoreItems() }
    }
}

extension JSONValue {
    /// Whether two objects have the same members in any order. Nil has no members.
    fileprivate func hasMembers(of other: JSONValue?) -> Bool {
        func members(_ value: JSONValue?) -> Set<Member> {
            guard case .object(let members)? = value else { return [] }
            return Set(members)
        }
        return members(self) == members(other)
    }
}
