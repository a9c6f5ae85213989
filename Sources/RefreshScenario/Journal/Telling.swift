internal import RefreshProtocol

/// One thing that a server tells its client of a view, taken out of the frames that it came in, so
/// that two servers can be held against one another. Source: docs/journal.md, "What is compared".
struct Telling: Hashable {
    /// Whether another telling can take its place.
    enum Matter: Hashable {
        /// A cue, a load, items, an error: each is told.
        case lasting
        /// A state or a command: a newer one can overtake it.
        case passing
        /// What follows a finger: compared where both tell it for the same `ack`.
        case following
        /// Nothing to compare: the view was told of something for this `ack`.
        case sign
    }

    /// The view; empty: the session.
    var view: String
    /// What it is told of: `top`, `offset`, `items`.
    var subject: String
    var matter: Matter
    /// What is compared.
    var value: JSONValue
    /// Where it stands in its frame, and the message that it is part of.
    var path: String
    var messagePath: String
    /// The last `seq` that it covers, where that is told.
    var ack: Double?
    /// The load's name, which belongs to one server.
    var load: String?
    /// The view's generation, likewise.
    var generation: Double?
    /// The number of its frame among those of its side.
    var frame: Int

    /// How far numbers may lie apart: points, ms, shares of a way.
    private static let nearness = 0.01

    /// Where `got` is other than this; nil: they agree.
    func difference(from got: Telling) -> JSONDifference? {
        guard subject == got.subject else {
            return JSONDifference(
                path: messagePath, expected: .object([.init(subject, value)]),
                got: .object([.init(got.subject, got.value)]))
        }
        return JSONDifference.first(
            value, got.value, at: path, within: subject == "items" ? 0 : Self.nearness)
    }
}
