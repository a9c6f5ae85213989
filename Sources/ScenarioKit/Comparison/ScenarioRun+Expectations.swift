package import RefreshProtocol

extension ScenarioRun {
    /// Returns whether the expectation is met. `isOver` is true if no more events can arrive before
    /// the deadline of the expectation.
    ///
    /// - Throws: if the expectation can never be met.
    mutating func check(
        _ watch: inout ExpectationWatch, isOver: Bool
    ) throws(StepFailure) -> Bool {
        switch watch.expectation {
        case .messages(let patterns, _): try checkAll(patterns, isOver)
        case .next(let pattern, _): try checkNext(pattern, isOver)
        case .together(let patterns, _): try checkTogether(patterns, isOver)
        case .nothing: try checkSilence(isOver)
        case .none(let pattern, _): try checkNone(pattern, isOver)
        case .state(let view, let pattern, _):
            try checkState(of: view, pattern, isOver, &watch.nearest)
        case .close(let code, _): try checkClose(code, isOver)
        case .fenced: try checkClose(Int(CloseCode.sessionTaken.rawValue), isOver)
        }
    }

    /// Ends the run. The run fails if a request has no answer by `limit`, or if the connection was
    /// closed unexpectedly.
    package mutating func end(by limit: Instant = .never) async throws(StepFailure) {
        if !isCloseExpected {
            try await flushInTransit(by: limit)
            try await synchronise(by: limit)
        }
        if let closeEvent, !isCloseExpected {
            throw closeEvent.failure(expected: "a connection that stays open")
        }
    }

    /// Fails if there is a received `error` message that no expectation has matched. Unread
    /// messages are checked only if `amongUnread` is true.
    package func failOnUnmatchedErrors(amongUnread: Bool) throws(StepFailure) {
        let candidates = amongUnread ? messages[...] : messages[..<readCount]
        if let error = candidates.first(where: { $0.type == "error" && !$0.isMatched }) {
            throw StepFailure(
                expected: "only `error` messages that the script expects", came: error.value.text)
        }
    }

    private mutating func checkAll(
        _ patterns: [Pattern], _ isOver: Bool
    ) throws(StepFailure) -> Bool {
        var open = patterns
        var matched: [Int] = []
        var known = variables
        for index in messages.indices[readCount...] {
            guard let match = firstMatch(of: messages[index].value, in: open, &known) else {
                continue
            }
            open.remove(at: match)
            matched.append(index)
            if open.isEmpty {
                variables = known
                markMatched(matched, readingUpTo: index + 1)
                return true
            }
        }
        if let missing = open.first, isOver {
            throw failure(
                missing, among: messages.indices[readCount...].filter { !matched.contains($0) })
        }
        return false
    }

    private mutating func checkNext(
        _ pattern: Pattern, _ isOver: Bool
    ) throws(StepFailure) -> Bool {
        guard readCount < messages.count else {
            if isOver { throw failure(pattern, among: []) }
            return false
        }
        var known = variables
        guard firstMatch(of: messages[readCount].value, in: [pattern], &known) != nil else {
            throw failure(pattern, among: [readCount])
        }
        variables = known
        markMatched([readCount], readingUpTo: readCount + 1)
        return true
    }

    private mutating func checkTogether(
        _ patterns: [Pattern], _ isOver: Bool
    ) throws(StepFailure) -> Bool {
        var cursor = readCount
        while cursor < messages.count {
            let frame = messages[cursor].frame
            let end = messages[cursor...].firstIndex { $0.frame != frame } ?? messages.count
            var open = patterns
            var matched: [Int] = []
            var known = variables
            for index in cursor..<end {
                guard let match = firstMatch(of: messages[index].value, in: open, &known) else {
                    continue
                }
                open.remove(at: match)
                matched.append(index)
            }
            if open.isEmpty {
                variables = known
                markMatched(matched, readingUpTo: end)
                return true
            }
            cursor = end
        }
        guard isOver else { return false }
        throw StepFailure(
            expected: "in one frame: " + patterns.map(\.description).joined(separator: " and "),
            came: unreadFramesText())
    }

    private func checkSilence(_ isOver: Bool) throws(StepFailure) -> Bool {
        guard readCount < messages.count else { return isOver }
        throw StepFailure(expected: "nothing", came: messages[readCount].value.text)
    }

    private func checkNone(_ pattern: Pattern, _ isOver: Bool) throws(StepFailure) -> Bool {
        for message in messages[readCount...] where isMatch(message.value, pattern) {
            throw StepFailure(expected: "no \(pattern)", came: message.value.text)
        }
        return isOver
    }

    private mutating func checkState(
        of view: String, _ pattern: Pattern, _ isOver: Bool, _ nearest: inout StepFailure?
    ) throws(StepFailure) -> Bool {
        var comparison = MessageComparison(variables: variables)
        comparison.compare(states[view], with: pattern)
        if comparison.isMatch {
            variables.merge(comparison.captured) { $1 }
            return true
        }
        if comparison.mismatches.count < nearest?.mismatches.count ?? .max {
            nearest = StepFailure(
                expected: "\(view) in the state \(pattern)",
                came: states[view]?.text ?? "no view of that name",
                mismatches: comparison.mismatches)
        }
        if isOver, let nearest { throw nearest }
        return false
    }

    private func checkClose(_ code: Int?, _ isOver: Bool) throws(StepFailure) -> Bool {
        let expected = code.map { "close \($0)" } ?? "close"
        guard let closeEvent else {
            if isOver {
                throw StepFailure(expected: expected, came: "a connection that stays open")
            }
            return false
        }
        if let code, closeEvent.code.map(Int.init) != code {
            throw closeEvent.failure(expected: expected)
        }
        return true
    }
}

// MARK: - Matching

extension ScenarioRun {
    /// Returns the index of the first pattern that matches the message. Adds the captured values to
    /// `known`.
    private func firstMatch(
        of value: JSONValue, in patterns: [Pattern], _ known: inout [String: JSONValue]
    ) -> Int? {
        for (index, pattern) in patterns.enumerated() {
            var comparison = MessageComparison(variables: known)
            comparison.compare(value, with: pattern)
            guard comparison.isMatch else { continue }
            known.merge(comparison.captured) { $1 }
            return index
        }
        return nil
    }

    private func isMatch(_ value: JSONValue, _ pattern: Pattern) -> Bool {
        var comparison = MessageComparison(variables: variables)
        comparison.compare(value, with: pattern)
        return comparison.isMatch
    }

    /// Returns a failure with one of the messages at `indices`: the message that differs least from
    /// the pattern.
    private func failure(_ pattern: Pattern, among indices: [Int]) -> StepFailure {
        let compared = indices.map { index -> (value: JSONValue, mismatches: [Mismatch]) in
            var comparison = MessageComparison(variables: variables)
            comparison.compare(messages[index].value, with: pattern)
            return (messages[index].value, comparison.mismatches)
        }
        guard
            let nearest = compared.min(by: {
                Self.distance($0.mismatches) < Self.distance($1.mismatches)
            })
        else {
            let came = closeEvent.map(\.description) ?? "nothing"
            return StepFailure(expected: pattern.description, came: came)
        }
        return StepFailure(
            expected: pattern.description, came: nearest.value.text,
            mismatches: nearest.mismatches)
    }

    /// Returns how much a message differs from the expected one. A message of another type or view
    /// has a larger distance than every message of the right type and view.
    private static func distance(_ mismatches: [Mismatch]) -> Int {
        mismatches.reduce(0) { sum, mismatch in
            switch mismatch.path {
            case "type": sum + 10_000
            case "view": sum + 1_000
            default: sum + 1
            }
        }
    }

    private func unreadFramesText() -> String {
        let lines = messages[readCount...].map { "frame \($0.frame): \($0.value.text)" }
        return lines.isEmpty ? "nothing" : lines.joined(separator: "\n")
    }
}
