import Conformance
import RefreshProtocol
import Testing

/// A plausible mistake of somebody who writes a server: what it says, or hears, otherwise than the
/// right one.
struct ServerMistake: Sendable, CustomTestStringConvertible {
    /// What it says instead of a message; none: nothing.
    typealias Change = @Sendable (JSONValue, inout Memory) -> [JSONValue]

    /// What a wrong server remembers of one connection.
    struct Memory {
        var values: [String: JSONValue] = [:]
        var numbers: [Double: Double] = [:]
        var count = 0.0
        /// What it says by itself after the message that it hears.
        var answers: [JSONValue] = []
    }

    /// How it puts messages into frames.
    enum Framing: Sendable {
        case right
        /// Each message by itself.
        case apart
        /// The messages of a frame the wrong way round.
        case backwards
        /// Each frame of updates after the next frame.
        case late
    }

    var name: String
    /// Where it must be caught.
    var groups: [ConformanceGroup]
    var says: Change?
    var hears: Change?
    var framing = Framing.right
    /// It never closes, or never with a code.
    var forgetsCloses = false
    var forgetsCodes = false
    /// It is not strict, and no more.
    var isHarmless = false
    /// The cases that must catch it; empty: any of its groups.
    var cases: [String] = []

    init(
        _ name: String, in groups: ConformanceGroup..., by cases: String..., says: Change? = nil,
        hears: Change? = nil
    ) {
        self.name = name
        self.groups = groups
        self.cases = cases
        self.says = says
        self.hears = hears
    }

    /// The same with other properties.
    func with(_ change: (inout ServerMistake) -> Void) -> ServerMistake {
        var mistake = self
        change(&mistake)
        return mistake
    }

    var testDescription: String { name }
}
