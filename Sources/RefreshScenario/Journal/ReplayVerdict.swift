package import RefreshProtocol
internal import RefreshServer

/// What a replay found.
package struct ReplayVerdict: Hashable, Sendable {
    package enum Trouble: Hashable, Sendable {
        case difference(ReplayDifference)
        /// The line is none, or was changed since it was written.
        case damage(line: Int, reason: String)
    }

    /// The version of the daemon that recorded.
    package let recordedBy: String
    /// How many inputs were put in, and how many outputs came out as recorded.
    package internal(set) var inputs = 0
    package internal(set) var outputs = 0
    /// The first thing that was not as recorded.
    package internal(set) var trouble: Trouble?
    /// Whether the journal has its closing line.
    package internal(set) var isClosed = false
    /// The number of the last line, if it has no end.
    package internal(set) var tornLine: Int?

    init(recordedBy version: String) { recordedBy = version }

    package var isIdentical: Bool { trouble == nil }

    /// For people, without the last line's end.
    package var text: String {
        var lines: [String] = []
        let counts = "\(Self.count(inputs, "input")), \(Self.count(outputs, "output"))"
        switch trouble {
        case nil: lines.append("\(counts), identical")
        case .difference(let difference):
            lines.append(
                "line \(difference.line), after the input of line \(difference.inputLine): "
                    + "not identical")
            lines.append(difference.text)
            lines.append("  before it: \(counts), identical")
        case .damage(let line, let reason):
            lines.append("line \(line) \(reason)")
            lines.append("  before it: \(counts), identical")
        }
        if recordedBy != DaemonVersion.current {
            lines.append("recorded by \(recordedBy), replayed by \(DaemonVersion.current)")
        }
        if let tornLine { lines.append("the last line (\(tornLine)) is torn and was left out") }
        if trouble == nil, !isClosed {
            lines.append("there is no closing line: the session did not end, or its journal did")
        }
        return lines.joined(separator: "\n")
    }

    /// One JSON object.
    package var json: JSONValue {
        var value = JSONValue.object([
            .init("verdict", .string(isIdentical ? "identical" : "different")),
            .init("inputs", .number(Double(inputs))), .init("outputs", .number(Double(outputs))),
            .init("recordedBy", .string(recordedBy)), .init("closed", .bool(isClosed)),
        ])
        switch trouble {
        case nil: break
        case .difference(let difference):
            value["line"] = .number(Double(difference.line))
            value["inputLine"] = .number(Double(difference.inputLine))
            value["recorded"] = .string(difference.recorded)
            value["replayed"] = difference.replayed.map(JSONValue.string) ?? .null
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
