package import RefreshProtocol
internal import RefreshServer
package import ScenarioKit

/// The result of a replay.
package struct ReplayVerdict: Hashable, Sendable {
    package enum Problem: Hashable, Sendable {
        case difference(ReplayDifference)
        /// The line is malformed or was changed after it was written.
        case damage(line: Int, reason: String)
    }

    /// The version of the daemon that recorded the journal.
    package let recordedBy: String
    /// The number of inputs that the replay has used. `outputs` is the number of outputs that match
    /// the recording.
    package internal(set) var inputs = 0
    package internal(set) var outputs = 0
    /// The first difference from the recording, or damage to the journal.
    package internal(set) var problem: Problem?
    /// Whether the journal has its closing line.
    package internal(set) var isClosed = false
    /// The number of the last line, if that line has no line end.
    package internal(set) var tornLine: Int?
    /// The URL of the server to which the journal was replayed; nil if it was replayed in process,
    /// with this build.
    package let url: String?

    init(recordedBy version: String, url: String? = nil) {
        recordedBy = version
        self.url = url
    }

    package var isIdentical: Bool { problem == nil }

    /// The default width of the text, in characters. It is used if the output is not a terminal.
    package static let widthUsual = 140

    /// The verdict as text, without a final line end and without colours.
    package var text: String { text(width: Self.widthUsual) { text, _ in text } }

    /// Returns the verdict as text, without a final line end.
    package func text(width: Int, _ paint: Tint.Painter) -> String {
        var lines: [String] = []
        switch problem {
        case nil: lines.append(paint("\(counts), \(agreement)", .good))
        case .difference(let difference):
            lines.append(difference.text(width: width, paint))
            lines += ["", "  before it: \(counts), \(agreement)"]
        case .damage(let line, let reason):
            lines.append("line \(line) \(LogLine.escapingControlCharacters(in: reason))")
            lines.append("  before it: \(counts), \(agreement)")
        }
        if url == nil, recordedBy != DaemonVersion.current {
            let version = LogLine.escapingControlCharacters(in: recordedBy)
            lines.append("recorded by \(version), replayed by \(DaemonVersion.current)")
        }
        if let tornLine {
            lines.append("the last line (\(tornLine)) is incomplete and was ignored")
        }
        if problem == nil, !isClosed {
            lines.append(
                "there is no closing line: the session had not ended, or the journal was cut off")
        }
        return lines.joined(separator: "\n")
    }

    private var counts: String {
        guard url == nil else {
            return "\(Self.count(inputs, "frame")) sent, \(Self.count(outputs, "output"))"
        }
        return "\(Self.count(inputs, "input")), \(Self.count(outputs, "output"))"
    }

    private var agreement: String { url == nil ? "identical" : "as recorded" }

    /// The verdict as a JSON object.
    package var json: JSONValue {
        let good = url == nil ? "identical" : "agreeing"
        var value = JSONValue.object([
            .init("verdict", .string(isIdentical ? good : "different")),
            .init("inputs", .number(Double(inputs))), .init("outputs", .number(Double(outputs))),
            .init("recordedBy", .string(recordedBy)), .init("closed", .bool(isClosed)),
        ])
        value["url"] = url.map(JSONValue.string)
        switch problem {
        case nil: break
        case .difference(let difference):
            for member in difference.members { value[member.name] = member.value }
        case .damage(let line, let reason):
            value["verdict"] = .string("damaged")
            value["line"] = .number(Double(line))
            value["reason"] = .string(reason)
        }
        if let tornLine { value["tornLine"] = .number(Double(tornLine)) }
        return value
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
