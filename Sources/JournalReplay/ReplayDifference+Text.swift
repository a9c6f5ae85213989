internal import RefreshProtocol
internal import RefreshServer
internal import ScenarioKit

extension ReplayDifference {
    /// The maximum length of a shown value, in characters. Of a longer value, only an excerpt is
    /// shown. If its beginning does not contain the difference, the excerpt starts
    /// `charactersBefore` characters before the difference.
    private static let charactersShown = 400
    private static let charactersBefore = 100

    /// Returns the text for the terminal: the place of the difference, the last frame before it,
    /// the field that differs, and the frames of both sides in two columns. `width` is the width of
    /// the text in characters.
    func text(width: Int, _ paint: Tint.Painter) -> String {
        let place = line.map { "line \($0)" } ?? "nothing was recorded"
        let origin = inputLine.map { ", after the input of line \($0)" } ?? ""
        var lines = ["\(place), \(Self.seconds(at))\(origin): not as recorded"]
        if let cause {
            let from = cause.line.map { "line \($0), " } ?? ""
            let text = Self.truncated(LogLine.escapingControlCharacters(in: cause.text), 0)
            lines.append("  cause     \(from)\(Self.seconds(cause.at)): \(text)")
        }
        // The text is printed, so control characters in frames must not reach the terminal.
        let values = [field.expected?.text, field.got?.text].map {
            $0.map { LogLine.escapingControlCharacters(in: $0) }
        }
        let common = zip(values[0] ?? "", values[1] ?? "").prefix { $0 == $1 }.count
        let shown = values.map { $0.map { Self.truncated($0, common) } ?? "nothing" }
        lines += [
            "  field     " + paint(LogLine.escapingControlCharacters(in: field.path), .strong),
            "  recorded  " + paint(shown[0], .good), "  replayed  " + paint(shown[1], .bad),
        ]
        if recorded != nil, replayed != nil, inputLine != nil {
            lines.append("  the first \(self.commonPrefixLength) bytes of the lines agree")
        }
        return (lines + columns(width: width, paint)).joined(separator: "\n")
    }

    /// Returns the frames of both sides in two columns.
    private func columns(width: Int, _ paint: Tint.Painter) -> [String] {
        guard !context.recorded.isEmpty || !context.replayed.isEmpty else { return [] }
        let half = max(30, (width - 5) / 2)
        let (before, after) = aligned
        var rows = ["", "  " + Self.padded("recorded", half) + " | replayed"]
        for (recorded, replayed) in zip(before, after) {
            let left = Self.padded(cell(recorded, beside: replayed, half), half)
            let right = cell(replayed, beside: recorded, half)
            let differs = (recorded?.differs ?? false) || (replayed?.differs ?? false)
            rows.append(
                (differs ? paint("* ", .strong) : "  ")
                    + (recorded?.differs == true ? paint(left, .good) : left) + " | "
                    + (replayed?.differs == true ? paint(right, .bad) : right))
        }
        return rows
    }

    /// The frames of both sides, aligned so that the differing frames are side by side. Nil means
    /// an empty cell.
    private var aligned: ([ReplayedFrame?], [ReplayedFrame?]) {
        let sides: [[ReplayedFrame?]] = [context.recorded, context.replayed]
        let marks = sides.map { side in side.firstIndex { $0?.differs == true } ?? side.count }
        let start = max(marks[0], marks[1])
        let leading = zip(sides, marks).map { side, mark in
            [ReplayedFrame?](repeating: nil, count: start - mark) + side
        }
        let count = leading.map(\.count).max() ?? 0
        let filled = leading.map { $0 + [ReplayedFrame?](repeating: nil, count: count - $0.count) }
        return (filled[0], filled[1])
    }

    private func cell(
        _ frame: ReplayedFrame?, beside other: ReplayedFrame?, _ width: Int
    ) -> String {
        guard let frame else { return "" }
        let number = frame.line.map(String.init) ?? "-"
        let head =
            String(repeating: " ", count: max(0, 5 - number.count)) + number
            + " " + Self.seconds(frame.at) + " \(frame.side.rawValue) "
        let room = max(8, width - head.count)
        let text = LogLine.escapingControlCharacters(in: frame.text)
        let others = LogLine.escapingControlCharacters(in: other?.text ?? "")
        let common = frame.differs ? zip(text, others).prefix { $0 == $1 }.count : 0
        return head + Self.excerpt(text, around: common, room)
    }

    private static func truncated(_ text: String, _ common: Int) -> String {
        guard text.count > charactersShown else { return text }
        return excerpt(text, around: common, charactersShown, before: charactersBefore)
    }

    /// Returns an excerpt of at most `room` characters, which contains the character at `place`.
    private static func excerpt(
        _ text: String, around place: Int, _ room: Int, before: Int? = nil
    ) -> String {
        guard text.count > room else { return text }
        let start = place < room - 1 ? 0 : place - (before ?? room / 3)
        let head = start > 0 ? "…" : ""
        let rest = text.dropFirst(start)
        guard rest.count > room - head.count else { return head + rest }
        return head + rest.prefix(room - head.count - 1) + "…"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func seconds(_ seconds: Double) -> String {
        let ms = Int((seconds * 1000).rounded())
        let fraction = String(abs(ms) % 1000)
        return (ms < 0 ? "-" : "") + "\(abs(ms) / 1000)."
            + String(repeating: "0", count: 3 - fraction.count) + fraction + " s"
    }
}
