import RefreshProtocol

@testable import ScenarioKit

/// Compares the answers of the web client to the lines of a timeline with what the local client has
/// sent and shown.
struct LawTimelineComparison {
    private static let fields = [
        "type", "phase", "offset", "translation", "from", "velocity", "predicted", "cause",
    ]

    /// Returns the first difference as text. Nil if there is none.
    static func difference(_ steps: [LawTimeline.Step], _ answers: some Collection<JSONValue>)
        -> String?
    {
        for (index, (step, answer)) in zip(steps, answers).enumerated() {
            let found = messages(step, answer) + edges(step, answer) + places(step, answer)
            guard !found.isEmpty else { continue }
            return "line \(index) \(short(step.line)): \(found.joined(separator: "; "))"
        }
        return nil
    }

    private static func short(_ line: JSONValue) -> String {
        let text = line.text
        return text.count > 300 ? "\(text.prefix(300))..." : text
    }

    // MARK: What is sent

    private static func messages(_ step: LawTimeline.Step, _ answer: JSONValue) -> [String] {
        let (ours, theirs) = (step.sent.map(gist), (answer["sent"]?.array ?? []).map(gist))
        guard !agree(ours, theirs) else { return [] }
        return ["sent \(joined(ours)), theirs \(joined(theirs))"]
    }

    /// Returns the compared fields of a message, in order.
    private static func gist(_ message: JSONValue) -> [(name: String, value: JSONValue)] {
        fields.compactMap { name in message[name].map { (name, $0) } }
    }

    private static func agree(
        _ ours: [[(name: String, value: JSONValue)]], _ theirs: [[(name: String, value: JSONValue)]]
    ) -> Bool {
        guard ours.count == theirs.count else { return false }
        return zip(ours, theirs).allSatisfy { our, their in
            our.count == their.count
                && zip(our, their).allSatisfy { $0.name == $1.name && isSame($0.value, $1.value) }
        }
    }

    private static func isSame(_ a: JSONValue, _ b: JSONValue) -> Bool {
        guard let a = a.number, let b = b.number else { return a == b }
        return isSame(a, b)
    }

    private static func isSame(_ a: Double, _ b: Double) -> Bool {
        abs(a - b) <= 1e-6 * max(1, abs(a))
    }

    private static func joined(_ messages: [[(name: String, value: JSONValue)]]) -> String {
        let texts = messages.map { message in
            message.map { "\($0.name) \($0.value.text)" }.joined(separator: " ")
        }
        return "[\(texts.joined(separator: " | "))]"
    }

    // MARK: What is shown

    private static func edges(_ step: LawTimeline.Step, _ answer: JSONValue) -> [String] {
        step.picture.edges.sorted { $0.key < $1.key }.compactMap { name, edge in
            let state = answer["edges"]?[name]?["state"]?.string ?? "none"
            if state != edge.state.rawValue { return "\(name) \(edge.state), theirs \(state)" }
            guard step.isFrame, hasProgress(edge.state) else { return nil }
            let progress = answer["edges"]?[name]?["progress"]?.number ?? 0
            if isSame(edge.progress, progress) { return nil }
            return "\(name) \(state) \(edge.progress), theirs \(progress)"
        }
    }

    private static func hasProgress(_ state: EdgeState) -> Bool {
        [.pulling, .approaching, .eligible].contains(state)
    }

    private static func places(_ step: LawTimeline.Step, _ answer: JSONValue) -> [String] {
        guard step.isFrame else { return [] }
        var found: [String] = []
        let offset = answer["offset"]?.number ?? .nan
        if !isSame(step.picture.offset, offset) {
            found.append("offset \(step.picture.offset), theirs \(offset)")
        }
        for (name, share) in step.picture.insets {
            let their = answer["insets"]?[name]?.number ?? 0
            if !isSame(share, their) { found.append("inset \(name) \(share), theirs \(their)") }
        }
        return found
    }
}
