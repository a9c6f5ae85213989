internal import RefreshProtocol
internal import RefreshServer

/// The probe's output of results: plain text for people, JSON lines for programs.
package enum ScenarioReport {
    /// The maximum number of exchanges that are shown for the failing phase. If there are more, the
    /// last ones are shown.
    private static let exchangesMax = 40

    /// Returns one line for the result. For a failed scenario, the exchanges of the failing phase
    /// follow. Control characters from files and peers are escaped, because they must not reach the
    /// terminal.
    package static func text(
        _ result: ScenarioResult, isVerbose: Bool = false, paint: Tint.Painter = Tint.none
    ) -> String {
        let text = LogLine.escapingControlCharacters(
            in: lines(result, isVerbose: isVerbose), keepsLines: true)
        let (mark, tint) = mark(of: result)
        return paint(mark, tint) + text.dropFirst(mark.count)
    }

    /// Returns the first word of the first line, and the colour of this word.
    private static func mark(of result: ScenarioResult) -> (String, Tint) {
        if result.skippedReason != nil { return ("skip", .faint) }
        return result.failure == nil ? ("ok", .good) : ("FAIL", .bad)
    }

    private static func lines(_ result: ScenarioResult, isVerbose: Bool) -> String {
        let (mark, _) = mark(of: result)
        if let reason = result.skippedReason {
            return "\(mark)  \(result.scenario.name)\n      \(reason)"
        }
        guard let failure = result.failure else {
            let head = "\(mark)    \(result.scenario.name)"
            return isVerbose ? head + "\n" + transcript(result) : head
        }
        let phase = result.scenario.phases[failure.phase]
        var lines = [
            "\(mark)  \(result.scenario.name)",
            "      \(result.scenario.expectation)",
        ]
        if isVerbose, failure.phase > 0 {
            lines.append(transcript(result, upTo: failure.phase))
        }
        lines.append("# \(phase.name)")
        for step in phase.steps[..<(failure.step ?? phase.steps.count)] {
            lines.append("    \(indented(step.text))")
        }
        if let number = failure.step {
            let step = phase.steps[number]
            lines.append("  ! \(indented(step.text))    (line \(step.position.fileAndLine))")
        } else {
            lines.append("  ! at the end of the phase")
        }
        if let step = failure.reason.step { lines.append("  in \(indented(step))") }
        lines += failureLines(failure.reason)
        lines.append("  exchanged in this phase:")
        let exchanges =
            result.exchanges.indices.contains(failure.phase)
            ? result.exchanges[failure.phase] : []
        if exchanges.count > exchangesMax {
            lines.append("    … \(exchanges.count - exchangesMax) earlier")
        }
        lines += exchanges.suffix(exchangesMax).map {
            "    \(LogLine.escapingControlCharacters(in: "\($0)"))"
        }
        if let seed = result.seed { lines.append("  seed \(seed)") }
        return lines.joined(separator: "\n")
    }

    /// Returns the last line of the report. The line mentions skipped scenarios only if there are
    /// any.
    package static func summary(
        _ results: [ScenarioResult], paint: Tint.Painter = Tint.none
    ) -> String {
        let counts = counts(results)
        let skipped = counts.skipped > 0 ? ", \(counts.skipped) skipped" : ""
        return paint(
            "\(counts.passed) passed, \(counts.failed) failed" + skipped,
            counts.failed == 0 ? .good : .bad)
    }

    private static func counts(
        _ results: [ScenarioResult]
    ) -> (passed: Int, failed: Int, skipped: Int) {
        let failed = results.count { $0.failure != nil }
        let skipped = results.count { $0.skippedReason != nil }
        return (results.count - failed - skipped, failed, skipped)
    }

    /// Returns the result as a JSON object on one line.
    package static func json(_ result: ScenarioResult) -> String {
        var value = JSONValue.object([
            JSONValue.Member("scenario", .string(result.scenario.name)),
            JSONValue.Member("verdict", .string(verdictName(for: result.verdict))),
        ])
        if let reason = result.skippedReason { value["reason"] = .string(reason) }
        if let failure = result.failure {
            let phase = result.scenario.phases[failure.phase]
            value["phase"] = .string(phase.name)
            if let number = failure.step {
                let position = phase.steps[number].position
                if let file = position.file { value["file"] = .string(file) }
                value["line"] = .number(Double(position.line))
                value["step"] = .string(phase.steps[number].text)
            }
            if let step = failure.reason.step { value["within"] = .string(step) }
            if let seed = result.seed { value["seed"] = .number(Double(seed)) }
            value["expected"] = .string(failure.reason.expected)
            value["came"] = .string(failure.reason.came)
            value["differences"] = .array(
                failure.reason.mismatches.map { .string($0.description) })
        }
        return value.text
    }

    /// Returns the summary as JSON.
    package static func jsonSummary(_ results: [ScenarioResult]) -> String {
        let counts = counts(results)
        let value = JSONValue.object([
            JSONValue.Member("passed", .number(Double(counts.passed))),
            JSONValue.Member("failed", .number(Double(counts.failed))),
            JSONValue.Member("skipped", .number(Double(counts.skipped))),
        ])
        return value.text
    }

    private static func verdictName(for verdict: ScenarioResult.Verdict) -> String {
        switch verdict {
        case .passed: "passed"
        case .failed: "failed"
        case .skipped: "skipped"
        }
    }

    private static func failureLines(_ reason: StepFailure) -> [String] {
        var lines = [
            "  - expected  \(reason.expected)",
            "  + found     \(LogLine.escapingControlCharacters(in: reason.came))",
        ]
        lines += reason.mismatches.map {
            "    differs   \(LogLine.escapingControlCharacters(in: "\($0)"))"
        }
        return lines
    }

    private static func transcript(_ result: ScenarioResult, upTo end: Int? = nil) -> String {
        zip(result.scenario.phases, result.exchanges).prefix(end ?? Int.max)
            .map { phase, exchanges in
                (["# \(phase.name)"]
                    + exchanges.map { "    \(LogLine.escapingControlCharacters(in: "\($0)"))" })
                    .joined(
                        separator: "\n")
            }
            .joined(separator: "\n")
    }

    /// Returns the text of a step. All lines after the first are indented.
    private static func indented(_ text: String) -> String {
        text.split(separator: "\n").joined(separator: "\n    ")
    }
}
