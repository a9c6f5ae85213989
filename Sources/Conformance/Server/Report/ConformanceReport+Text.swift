internal import RefreshServer
package import ScenarioKit

extension ConformanceReport {
    /// Returns the report as a table for the terminal. `paint` colours a text or returns it
    /// unchanged.
    package func text(isVerbose: Bool, paint: Tint.Painter) -> String {
        let width = results.map(\.subject.id.count).max() ?? 0
        let nameWidth = results.map(\.subject.name.count).max() ?? 0
        var lines: [String] = []
        for (group, results) in groups {
            let passed = results.count { $0.verdict == .passed }
            lines.append(paint(group, .strong) + "  " + Self.countsText(results, passed: passed))
            for result in results {
                let verdict = Self.padded(result.verdict.rawValue, to: 13)
                lines.append(
                    "  " + paint(verdict, result.verdict.tint) + "  "
                        + Self.padded(result.subject.id, to: width) + "  "
                        + paint(Self.padded(result.subject.name, to: nameWidth), .faint)
                        + "  " + LogLine.escapingControlCharacters(in: result.subject.description))
                lines += details(of: result, isVerbose: isVerbose).map { "      \($0)" }
            }
        }
        lines.append("")
        for (what, cases) in notOffered {
            lines.append(
                "not offered: \(LogLine.escapingControlCharacters(in: what)) (\(cases) \(cases == 1 ? "case" : "cases"))"
            )
        }
        lines.append(paint(summary, isConforming ? .good : .bad))
        return lines.joined(separator: "\n")
    }

    /// Returns the numbers of passed and skipped cases in a group, as text.
    static func countsText(_ results: [CaseResult], passed: Int) -> String {
        let skipped = results.count { $0.verdict == .skipped }
        return "\(passed) of \(results.count) passed" + (skipped > 0 ? ", \(skipped) skipped" : "")
    }

    private func details(of result: CaseResult, isVerbose: Bool) -> [String] {
        var lines: [String] = []
        if let expected = result.expected {
            lines.append(
                "wanted    " + LogLine.escapingControlCharacters(in: result.subject.expectation))
            if let step = result.step {
                let line = step.split(separator: "\n").joined(separator: " ")
                lines.append("at        " + LogLine.escapingControlCharacters(in: line))
            }
            lines.append("expected  " + Self.shortened(expected))
            lines.append("found     " + Self.shortened(result.came ?? "nothing"))
            lines += result.differences.map { "differs   " + Self.shortened($0) }
            lines.append("see       \(result.subject.reference)")
        } else if let reason = result.reason {
            lines.append(Self.shortened(reason))
        }
        guard isVerbose || result.verdict == .failed else { return lines }
        for transcript in result.transcript {
            if !transcript.exchanges.isEmpty {
                lines.append("# \(transcript.connection): \(transcript.phase)")
            }
            lines += transcript.exchanges.map {
                "  "
                    + (isVerbose
                        ? LogLine.escapingControlCharacters(in: $0.description)
                        : Self.shortened($0.description))
            }
        }
        return lines
    }

    /// Returns a text shortened for the terminal, because a whole `welcome` would fill the screen.
    /// Reports in files contain the full text. Control characters are removed, because received
    /// messages must not control the terminal.
    private static func shortened(_ text: String) -> String {
        LogLine.escapingControlCharacters(in: text.count > 300 ? text.prefix(300) + " …" : text)
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

extension CaseResult.Verdict {
    fileprivate var tint: Tint {
        switch self {
        case .passed: .good
        case .nonStrict: .doubtful
        case .informational, .skipped: .faint
        case .failed: .bad
        }
    }
}
