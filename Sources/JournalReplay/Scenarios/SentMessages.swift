internal import RefreshProtocol
internal import RefreshSession

/// Writes the frames of a client as steps of a scenario. It leaves out what a scenario adds to a
/// message, and numbers messages in the same way. Source: docs/scenarios.md, "Sending".
struct SentMessages {
    /// The largest `seq` of the scenario so far.
    private var sequence = 0
    private let names: ExpectedMessage.Names

    init(_ names: ExpectedMessage.Names) { self.names = names }

    private static let unnumbered: Set = ["hello", "ping", "bye"]
    private static let answers: Set = ["loadBegan", "loadProgress", "loadFinished"]

    /// Returns the step that sends this frame. A frame that a scenario would complete is sent as it
    /// is.
    mutating func step(for frame: String) -> String {
        guard let value = try? JSONValue(parsing: frame),
            let messages = value.array ?? Optional([value]),
            messages.allSatisfy(isComplete), !messages.isEmpty
        else { return "raw \(JSONValue.string(frame).text)" }
        guard value.array == nil else {
            let parts = messages.map { object(members(of: $0), of: $0) }
            return "send [" + parts.joined(separator: ",\n  ") + "]"
        }
        return step(for: messages[0])
    }

    private mutating func step(for message: JSONValue) -> String {
        var members = members(of: message)
        let type = message["type"]?.string ?? ""
        guard MessageType(rawValue: type) != nil, type != "pan",
            message["view"].map({ $0.string?.isEmpty == false }) ?? true
        else { return "send " + object(members, of: message) }
        var step = type
        if let view = message["view"]?.string { step += " " + ScenarioText.word(view) }
        members.removeAll { $0.name == "type" || $0.name == "view" }
        return members.isEmpty ? step : step + " " + object(members, of: message)
    }

    /// Returns the steps of a frame with which a client resumes its session.
    mutating func resumption(_ frame: String) -> [String] {
        guard let value = try? JSONValue(parsing: frame),
            let hello = value.array?.first ?? Optional(value), case .object(let members) = hello
        else { return ["reconnect"] }
        let kept = members.filter { !["type", "resume"].contains($0.name) }
        var steps = ["reconnect \(ScenarioText.object(kept))"]
        let rest = value.array?.dropFirst() ?? []
        if !rest.isEmpty { steps.append(step(for: JSONValue.array(Array(rest)).text)) }
        return steps
    }

    /// Returns whether the scenario adds no member to this message that the client has not sent.
    private func isComplete(_ message: JSONValue) -> Bool {
        guard case .object = message, let type = message["type"]?.string else { return false }
        if type == "hello" { return message["protocol"] != nil && message["client"] != nil }
        if Self.answers.contains(type), message["load"] == nil { return false }
        return Self.unnumbered.contains(type) || message["seq"]?.number != nil
    }

    /// Returns the members that are written. A `seq` that the scenario adds is left out.
    private mutating func members(of message: JSONValue) -> [JSONValue.Member] {
        guard case .object(var members) = message else { return [] }
        guard let number = message["seq"]?.number, let seq = Int(exactly: number) else {
            return members
        }
        if seq == sequence + 1, !Self.unnumbered.contains(message["type"]?.string ?? "") {
            members.removeAll { $0.name == "seq" }
        }
        sequence = max(sequence, seq)
        return members
    }

    /// Returns an object, in which variables replace the identifiers of loads and generations.
    private func object(_ members: [JSONValue.Member], of message: JSONValue) -> String {
        let view = message["view"]?.string ?? ""
        let parts = members.map { member in
            let variable =
                switch member.name {
                case "load": member.value.string.flatMap { names.loads[[view, $0]] }
                case "generation": names.generations[[view, member.value.text]]
                default: String?.none
                }
            let name = ScenarioText.name(member.name)
            return "\(name): \(variable.map { "$\($0)" } ?? ScenarioText.value(member.value))"
        }
        return "{" + parts.joined(separator: ", ") + "}"
    }
}
