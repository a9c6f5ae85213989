internal import RefreshProtocol
internal import RefreshServer

/// An event of a live session, as a line of text for people. Source: docs/operations.md,
/// "Watching".
///
///     12:00:00.123 c04a0b2d43fb6f50 transition   list  refresh idle -> pulling (finger)
package struct WatchedLine: Sendable {
    /// The kind of a line, which determines its colour.
    package enum Tone: Sendable { case plain, edge, load, failure }

    package let tone: Tone
    private let columns: [String]
    private let details: String

    private static let widths = [12, 16, 10, 8]

    /// Returns the lines for one frame that the daemon sent on a connection to `/v1/watch`. Nil if
    /// the frame is not a JSON text with events.
    package static func lines(ofFrame frame: String) -> [WatchedLine]? {
        guard let value = try? JSONValue(parsing: frame) else { return nil }
        let events = value.array ?? [value]
        let lines = events.compactMap { WatchedLine($0) }
        return lines.count == events.count ? lines : nil
    }

    /// Creates a line. Nil if `event` is not an event.
    init?(_ event: JSONValue) {
        guard let name = event["event"]?.string else { return nil }
        tone = Self.tone(of: name, event)
        guard let session = event["session"]?.string else {
            columns = ["", "", Self.readable(name)]
            details = Self.details(of: name, event)
            return
        }
        columns = [
            Self.time(event["time"]?.string ?? ""), Self.readable(session), Self.readable(name),
            event["view"]?.string.map(Self.readable) ?? "",
        ]
        details = Self.details(of: name, event)
    }

    /// Returns the line as text; `paint` colours it for a terminal.
    package func text(paint: Tint.Painter = Tint.none) -> String {
        let padded = zip(columns, Self.widths).map { text, width in
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        let line = (padded + [details]).joined(separator: " ")
        let end = line.lastIndex { $0 != " " }.map { line.index(after: $0) } ?? line.endIndex
        let text = String(line[..<end])
        return tint.map { paint(text, $0) } ?? text
    }

    private var tint: Tint? {
        switch tone {
        case .plain: nil
        case .edge: .lively
        case .load: .good
        case .failure: .bad
        }
    }

    private static func tone(of name: String, _ event: JSONValue) -> Tone {
        switch name {
        case "fault", "lost": return .failure
        case "transition": return event["to"]?.string == "failed" ? .failure : .edge
        case "loadBegan": return .load
        case "loadEnded":
            let result = event["result"]?.string
            return result == "failed" || result == "timedOut" ? .failure : .load
        default: return .plain
        }
    }

    private static func details(of name: String, _ event: JSONValue) -> String {
        switch name {
        case "transition":
            let from = event["from"].map { "\(text($0)) -> " } ?? "-> "
            let cause = event["cause"].map { " (\(text($0)))" } ?? ""
            return "\(member("edge", event)) \(from)\(member("to", event))\(cause)"
        case "lost":
            return "\(member("count", event)) events: they came faster than they were read"
        default: return pairs(of: event)
        }
    }

    /// Returns a text with the members that have no column of their own, in the order of the event.
    private static func pairs(of event: JSONValue) -> String {
        guard case .object(let members) = event else { return "" }
        let shown: Set<String> = ["event", "time", "session", "view"]
        return members.filter { !shown.contains($0.name) }
            .map { "\(readable($0.name))=\(text($0.value))" }.joined(separator: " ")
    }

    private static func member(_ name: String, _ event: JSONValue) -> String {
        event[name].map(text) ?? "?"
    }

    private static func text(_ value: JSONValue) -> String {
        if let string = value.string { return readable(string) }
        guard case .number(let number) = value else { return readable("\(value)") }
        return Int(exactly: number).map { String($0) } ?? "\(number)"
    }

    /// Returns a name without control characters. Clients choose their names, and a name must not
    /// move the cursor of a terminal.
    private static func readable(_ text: String) -> String { LogLine.quotedIfNeeded(text) }

    /// Returns the time of day from an RFC 3339 time.
    private static func time(_ text: String) -> String {
        let parts = text.split(separator: "T")
        guard parts.count == 2 else { return readable(text) }
        return readable(String(parts[1].prefix(12)))
    }
}
