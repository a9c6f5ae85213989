package import RefreshProtocol

/// The queries of a view that the daemon has not handled yet. Each can be refused.
struct PendingQueries: Hashable, Sendable {
    private struct Query: Hashable {
        var seq: UInt64
        var parameters: JSONValue
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

    mutating func add(_ parameters: JSONValue, seq: UInt64) {
        sent.append(Query(seq: seq, parameters: parameters))
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
        record(message, viewAt: index)
        if shown == .clear { views[index].clearItems() }
        return perform([message], at: now)
    }

    /// Records the query of the next message.
    private mutating func record(_ message: JSONValue, viewAt index: Int) {
        let parameters = message["parameters"]
        if let parameters, !views[index].isRefused {
            let present = PendingQueries(accepted: views[index].body["parameters"])
            queries[views[index].name, default: present].add(parameters, seq: link.seq + 1)
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
    /// of the newest other one. `message` has the view and the number of the query.
    mutating func restoreQuery(after message: JSONValue) {
        guard let name = message["view"]?.string, let index = viewIndex(name),
            queries[name]?.refuse(message["seq"]?.number) == true
        else { return }
        views[index].body["parameters"] = queries[name]?.newest
    }
}
