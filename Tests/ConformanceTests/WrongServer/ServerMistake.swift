import Conformance
import RefreshProtocol
import Testing

/// A plausible mistake of an author of a server. It changes the messages that the server sends or
/// receives.
struct ServerMistake: Sendable, CustomTestStringConvertible {
    /// Returns the messages that replace a sent or received message. The array may be empty.
    typealias Change = @Sendable (JSONValue, inout Memory) -> [JSONValue]

    /// The state of a wrong server for one connection.
    struct Memory {
        var values: [String: JSONValue] = [:]
        var numbers: [Double: Double] = [:]
        var count = 0.0
        /// The messages that the server adds when it answers the received message.
        var answers: [JSONValue] = []
    }

    /// How the server divides messages into frames.
    enum Framing: Sendable {
        case right
        /// Each message is in its own frame.
        case apart
        /// The messages of a frame are in reverse order.
        case backwards
        /// Each frame of updates is sent after the frame that should follow it.
        case late
    }

    var name: String
    /// The groups whose cases are run if `cases` is empty. At least one of these cases must catch
    /// the mistake.
    var groups: [ConformanceGroup]
    var sentChange: Change?
    var receivedChange: Change?
    var framing = Framing.right
    /// Whether the server never closes a connection. A server with `forgetsCodes` closes its
    /// connections, but without a code.
    var forgetsCloses = false
    var forgetsCodes = false
    /// Whether a server with this mistake conforms, but not strictly.
    var isHarmless = false
    /// The identifiers of the cases that are run. At least one of them must catch the mistake.
    var cases: [String] = []

    init(
        _ name: String, in groups: ConformanceGroup..., by cases: String...,
        sentChange: Change? = nil,
        receivedChange: Change? = nil
    ) {
        self.name = name
        self.groups = groups
        self.cases = cases
        self.sentChange = sentChange
        self.receivedChange = receivedChange
    }

    /// Returns a copy with changed properties.
    func with(_ change: (inout ServerMistake) -> Void) -> ServerMistake {
        var mistake = self
        change(&mistake)
        return mistake
    }

    var testDescription: String { name }
}
