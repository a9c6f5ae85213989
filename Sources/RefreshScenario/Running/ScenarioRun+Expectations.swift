internal import RefreshProtocol

extension ScenarioRun {
    /// Waits until the expectation holds; throws when its time is over.
    mutating func meet(_ expectation: Expectation) async throws(StepFailure) {
        switch expectation {
        case .messages(let patterns, let within):
            try await meetAll(patterns, by: now(plus: within))
        case .next(let pattern, let within): try await meetNext(pattern, by: now(plus: within))
        case .together(let patterns, let within):
            try await meetTogether(patterns, by: now(plus: within))
        case .nothing(let duration): try await meetSilence(for: duration)
        case .none(let pattern, let duration): try await meetNone(pattern, for: duration)
        case .state(let view, let pattern, let within):
            try await meetState(of: view, pattern, within: within)
        case .close(let code, let within): try await meetClose(code, by: now(plus: within))
        }
    }

    /// The last words of a scenario: everything that was sent is answered, and nobody hung up.
    mutating func end() async throws(StepFailure) {
        if !isCloseExpected { try await synchronise() }
        if let closure, !isCloseExpected {
            throw closure.failure(expected: "a connection that stays open")
        }
    }

    /// An `error` that no expectation named fails the scenario.
    func refuseUnmatchedErrors(amongUnread: Bool) throws(StepFailure) {
        let candidates = amongUnread ? messages[...] : messages[..<read]
        if let error = candidates.first(where: { $0.type == "error" && !$0.isMatched }) {
            throw StepFailure(
                expected: "no `error` but those expected", came: error.value.text)
        }
    }

    private mutating func meetAll(
        _ patterns: [Pattern], by deadline: Instant
    ) async throws(StepFailure) {
        var open = patterns
        var matched: [Int] = []
        var cursor = read
        while true {
            while cursor < messages.count, !open.isEmpty {
                if let index = firstMatch(of: messages[cursor].value, in: open) {
                    open.remove(at: index)
                    matched.append(cursor)
                }
                cursor += 1
            }
            guard let missing = open.first else {
                accept(matched, readingUpTo: cursor)
                return
            }
            guard try await receive(until: deadline) else {
                let candidates = messages.indices[read...].filter { !matched.contains($0) }
                throw failure(missing, among: candidates)
            }
        }
    }

    private mutating func meetNext(
        _ pattern: Pattern, by deadline: Instant
    ) async throws(StepFailure) {
        while read >= messages.count {
            guard try await receive(until: deadline) else { throw failure(pattern, among: []) }
        }
        guard firstMatch(of: messages[read].value, in: [pattern]) != nil else {
            throw failure(pattern, among: [read])
        }
        accept([read], readingUpTo: read + 1)
    }

    private mutating func meetTogether(
        _ patterns: [Pattern], by deadline: Instant
    ) async throws(StepFailure) {
        var cursor = read
        while true {
            while cursor < messages.count {
                let frame = messages[cursor].frame
                let end = messages[cursor...].firstIndex { $0.frame != frame } ?? messages.count
                var open = patterns
                var matched: [Int] = []
                for index in cursor..<end {
                    guard let match = firstMatch(of: messages[index].value, in: open) else {
                        continue
                    }
                    open.remove(at: match)
                    matched.append(index)
                }
                if open.isEmpty {
                    accept(matched, readingUpTo: end)
                    return
                }
                cursor = end
            }
            guard try await receive(until: deadline) else {
                throw StepFailure(
                    expected: "in one frame: "
                        + patterns.map(\.description).joined(separator: " and "),
                    came: framesUnread())
            }
        }
    }

    private mutating func meetSilence(for duration: Double) async throws(StepFailure) {
        let deadline = now(plus: duration)
        try await synchronise()
        while read >= messages.count {
            guard try await receive(until: deadline) else { return }
        }
        throw StepFailure(expected: "nothing", came: messages[read].value.text)
    }

    private mutating func meetNone(
        _ pattern: Pattern, for duration: Double
    ) async throws(StepFailure) {
        let deadline = now(plus: duration)
        try await synchronise()
        var cursor = read
        while true {
            while cursor < messages.count {
                if isMatch(messages[cursor].value, pattern) {
                    throw StepFailure(
                        expected: "no \(pattern)", came: messages[cursor].value.text)
                }
                cursor += 1
            }
            guard try await receive(until: deadline) else { return }
        }
    }

    private mutating func meetState(
        of view: String, _ pattern: Pattern, within: Double
    ) async throws(StepFailure) {
        let deadline = now(plus: within)
        try await synchronise()
        var nearest: StepFailure?
        while true {
            var matcher = Matcher(variables: variables)
            matcher.compare(states[view], with: pattern)
            if matcher.isMatch {
                variables.merge(matcher.captured) { $1 }
                return
            }
            // Of all the states on the way the report shows the nearest, not the last.
            if matcher.mismatches.count < nearest?.mismatches.count ?? .max {
                nearest = StepFailure(
                    expected: "\(view) in the state \(pattern)",
                    came: states[view]?.text ?? "no view of that name",
                    mismatches: matcher.mismatches)
            }
            guard try await receive(until: deadline) else { break }
        }
        if let nearest { throw nearest }
    }

    private mutating func meetClose(
        _ code: Int?, by deadline: Instant
    ) async throws(StepFailure) {
        isCloseExpected = true
        while closure == nil {
            guard try await receive(until: deadline) else { break }
        }
        let wanted = code.map { "close \($0)" } ?? "close"
        guard let closure else {
            throw StepFailure(expected: wanted, came: "a connection that stays open")
        }
        if let code, closure.code.map(Int.init) != code {
            throw closure.failure(expected: wanted)
        }
    }
}

// MARK: - Matching

extension ScenarioRun {
    /// The index of the first pattern that the message matches; keeps what it captured.
    private mutating func firstMatch(of value: JSONValue, in patterns: [Pattern]) -> Int? {
        for (index, pattern) in patterns.enumerated() {
            var matcher = Matcher(variables: variables)
            matcher.compare(value, with: pattern)
            guard matcher.isMatch else { continue }
            variables.merge(matcher.captured) { $1 }
            return index
        }
        return nil
    }

    private func isMatch(_ value: JSONValue, _ pattern: Pattern) -> Bool {
        var matcher = Matcher(variables: variables)
        matcher.compare(value, with: pattern)
        return matcher.isMatch
    }

    /// Names the message among `indices` that differs least.
    private func failure(_ pattern: Pattern, among indices: [Int]) -> StepFailure {
        let compared = indices.map { index -> (value: JSONValue, mismatches: [Mismatch]) in
            var matcher = Matcher(variables: variables)
            matcher.compare(messages[index].value, with: pattern)
            return (messages[index].value, matcher.mismatches)
        }
        guard
            let nearest = compared.min(by: {
                Self.distance($0.mismatches) < Self.distance($1.mismatches)
            })
        else {
            let came = closure.map(\.description) ?? "nothing"
            return StepFailure(expected: pattern.description, came: came)
        }
        return StepFailure(
            expected: pattern.description, came: nearest.value.text,
            mismatches: nearest.mismatches)
    }

    /// A message of another type or view is farther than any of the right ones.
    private static func distance(_ mismatches: [Mismatch]) -> Int {
        mismatches.reduce(0) { sum, mismatch in
            switch mismatch.path {
            case "type": sum + 10_000
            case "view": sum + 1_000
            default: sum + 1
            }
        }
    }

    private func framesUnread() -> String {
        let lines = messages[read...].map { "frame \($0.frame): \($0.value.text)" }
        return lines.isEmpty ? "nothing" : lines.joined(separator: "\n")
    }
}
