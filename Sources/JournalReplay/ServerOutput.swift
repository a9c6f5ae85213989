internal import RefreshProtocol

/// One output of a server about a view, taken out of its frame so that two servers can be compared.
/// Source: docs/journal.md, "What is compared".
struct ServerOutput: Hashable {
    /// Whether a newer output can replace this one.
    enum Durability: Hashable {
        /// A cue, a load, items or an error. Each one is sent.
        case persistent
        /// A state or a command. A newer one can replace it.
        case replaceable
        /// An output that follows a finger. It is compared only where both sides send it for the
        /// same `ack`.
        case fingerFollowing
        /// Nothing to compare, only the fact that the view received an output for this `ack`.
        case ackOnly
    }

    /// The name of the view; empty for the session.
    var view: String
    /// The subject of the output: `top`, `offset`, `items`.
    var subject: String
    var durability: Durability
    /// The value that is compared.
    var value: JSONValue
    /// The path of the output in its frame, and the path of its message.
    var path: String
    var messagePath: String
    /// The last `seq` that the output covers, if it has one.
    var ack: Double?
    /// The name of the load, which is specific to one server.
    var load: String?
    /// The generation of the view, likewise specific to one server.
    var generation: Double?
    /// The index of the frame among those of its side.
    var frame: Int
    /// When a timed movement of the list ends, ms of the server's clock; nil for other outputs.
    var movementEnd: Double?

    /// The tolerance for numbers: points, milliseconds, fractions of a distance.
    private static let numberTolerance = 0.01

    /// Takes the duration out of a movement that ends when the one before it would have ended, at
    /// `previousEnd`: it is the rest of that one, and depends on when the sizes changed.
    mutating func normalizeMovement(after previousEnd: Double?) {
        guard let movementEnd, let previousEnd, abs(movementEnd - previousEnd) <= 1,
            case .object(let members) = value
        else { return }
        value = .object(members.filter { $0.name != "duration" })
    }

    /// Returns the first difference from `got`; nil if the two agree.
    func difference(from got: ServerOutput) -> JSONDifference? {
        guard subject == got.subject else {
            return JSONDifference(
                path: messagePath, expected: .object([.init(subject, value)]),
                got: .object([.init(got.subject, got.value)]))
        }
        return JSONDifference.first(
            value, got.value, at: path, within: subject == "items" ? 0 : Self.numberTolerance)
    }
}
