import RefreshProtocol

@testable import ScenarioKit

/// The messages to a local client, the gestures, and the client's messages and display. The lines
/// have the format that Tests/WebClient/drive.mjs plays to the web client.
final class LawTimeline {
    struct Step {
        var line: JSONValue
        var sent: [JSONValue]
        var picture: DisplayState
        /// Whether the step is a drawn frame, before which all immediate answers have arrived.
        var isFrame: Bool
    }

    private(set) var steps: [Step] = []

    /// The line before the lines of a session.
    static let beginning = #"{"kind":"session","origin":\#(LawPeer.origin)}"#

    /// Records a message about the view. `offset` is the initial offset of the list.
    func receive(_ message: JSONValue, offset: Double, at t: Double, _ picture: DisplayState) {
        guard let kind = message["type"]?.string, ["attached", "update"].contains(kind) else {
            return
        }
        add(kind, t, [("message", message), ("offset", .number(offset))], [], picture)
    }

    func move(_ sample: HandSample, _ sent: [JSONValue], _ picture: DisplayState) {
        var fields = [("phase", JSONValue.string(sample.phase.rawValue))]
        if sample.phase == .ended { fields.append(("velocity", .number(sample.velocity))) }
        if !sample.isFinger { fields.append(("cause", .string(sample.cause.rawValue))) }
        switch sample.position {
        case .offset(let offset):
            add("frame", sample.t, fields + [("offset", .number(offset))], sent, picture)
        case .travel(let travel):
            add("pan", sample.t, fields + [("translation", .number(travel))], sent, picture)
        }
    }

    func rest(at t: Double, _ sent: [JSONValue], _ picture: DisplayState) {
        add("rest", t, [], sent, picture)
    }

    func send(_ message: JSONValue, at t: Double, _ sent: [JSONValue], _ picture: DisplayState) {
        add("send", t, [("message", message)], sent, picture)
    }

    func drawFrame(at t: Double, _ picture: DisplayState) {
        add("paint", t, [], [], picture)
    }

    private func add(
        _ kind: String, _ t: Double, _ fields: [(String, JSONValue)], _ sent: [JSONValue],
        _ picture: DisplayState
    ) {
        let head = [JSONValue.Member("kind", .string(kind)), .init("t", .number(t))]
        let line = JSONValue.object(head + fields.map { .init($0.0, $0.1) })
        steps.append(Step(line: line, sent: sent, picture: picture, isFrame: kind == "paint"))
    }
}
