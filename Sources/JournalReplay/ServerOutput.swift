internal import RefreshProtocol

/// One output of a server about a view or about the session. It is separated from its frame, so
/// that the outputs of two servers can be compared. Source: docs/journal.md, "What is compared".
struct ServerOutput: Hashable {
    /// Whether a newer output can replace this one.
    enum Durability: Hashable {
        /// A cue, a load, items or an error. A server never leaves out such an output.
        case persistent
        /// A state or a command. A newer output can replace it.
        case replaceable
        /// An output whose value follows the motion of a finger, such as progress. It is compared
        /// only if the recording and the replay contain it for the same `ack`.
        case fingerFollowing
        /// The output has no value to compare. It only shows that the view received an output for
        /// this `ack`.
        case ackOnly
    }

    /// The name of the view; empty if the output is about the session itself.
    var view: String
    /// The subject of the output, such as `top`, `offset` or `items`.
    var subject: String
    var durability: Durability
    /// The value that is compared.
    var value: JSONValue
    /// The path of the output in its frame. `messagePath` is the path of its message.
    var path: String
    var messagePath: String
    /// The last `seq` that the output answers; nil if it answers none.
    var ack: Double?
    /// The name of the load. Each server assigns its own names.
    var load: String?
    /// The generation of the view. Each server assigns its own numbers.
    var generation: Double?
    /// The index of the frame among all frames of the recording, or of the replay.
    var frame: Int
    /// If the output is a movement of the list with a duration, the time at which the movement
    /// ends, in milliseconds of the server's clock. Nil for other outputs.
    var movementEnd: Double?

    /// The tolerance for numbers. The numbers are points, milliseconds or fractions of a distance.
    private static let numberTolerance = 0.01

    /// Removes the duration of this movement if the movement continues the previous one, which ends
    /// at `previousEnd`. A movement continues the previous one if both end at the same time.
    ///
    /// If sizes change during a movement, the server sends the remaining part as a new movement.
    /// The duration of this part depends on the moment of the change.
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
