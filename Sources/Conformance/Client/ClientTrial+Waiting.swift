internal import RefreshProtocol
internal import ScenarioKit

/// The expectations of a case.
extension ClientTrial {
    /// Waits for the first unmatched message of this type, and checks that it matches the pattern.
    @discardableResult
    func expect(
        _ type: String, _ pattern: String = "{}", withinMs: Double? = nil
    ) throws(TrialEnd) -> ReceivedClientMessage {
        let wanted = try parsePattern(pattern)
        let deadline = GradingServer.nowMs + (withinMs ?? patienceMs)
        while true {
            if let index = unmatchedMessages.firstIndex(where: { $0.type == type }) {
                let message = unmatchedMessages.remove(at: index)
                var matcher = Matcher()
                matcher.compare(message.value, with: wanted)
                guard matcher.isMatch else {
                    throw .failed(
                        expected: "\(type) \(pattern)", came: message.value.text,
                        matcher.mismatches)
                }
                return message
            }
            try receiveMore("\(type) \(pattern)", untilMs: deadline)
        }
    }

    /// Checks a condition. `came` describes what is there instead.
    func require(
        _ isSo: Bool, _ expected: @autoclosure () -> String, came: @autoclosure () -> String
    ) throws(TrialEnd) {
        guard isSo else { throw .failed(expected: expected(), came: came()) }
    }

    /// Waits for a message of this type that matches. Other messages of the type are skipped.
    @discardableResult
    func awaitMessage(
        _ type: String, _ pattern: String = "{}", withinMs: Double? = nil
    ) throws(TrialEnd) -> ReceivedClientMessage {
        let wanted = try parsePattern(pattern)
        let deadline = GradingServer.nowMs + (withinMs ?? patienceMs)
        while true {
            let index = unmatchedMessages.firstIndex { message in
                var matcher = Matcher()
                matcher.compare(message.value, with: wanted)
                return message.type == type && matcher.isMatch
            }
            if let index { return unmatchedMessages.remove(at: index) }
            try receiveMore("\(type) \(pattern)", untilMs: deadline)
        }
    }

    /// Removes and returns all messages of these types received so far.
    func removeReceived(_ types: Set<String>) -> [ReceivedClientMessage] {
        let found = unmatchedMessages.filter { types.contains($0.type) }
        unmatchedMessages.removeAll { types.contains($0.type) }
        return found
    }

    /// Checks that no message of these types arrives for this time.
    func expectNone(_ types: Set<String>, forMs: Double) throws(TrialEnd) {
        try wait(ms: forMs)
        if let message = unmatchedMessages.first(where: { types.contains($0.type) }) {
            throw .failed(
                expected: "no \(types.sorted().joined(separator: ", "))", came: message.value.text)
        }
    }

    /// Waits for this time, and receives events.
    func wait(ms: Double) throws(TrialEnd) {
        let deadline = GradingServer.nowMs + ms
        while GradingServer.nowMs < deadline { try receiveEvents(untilMs: deadline) }
    }

    /// Waits for a connection, which becomes the current one. Returns when its upgrade was
    /// requested.
    @discardableResult
    func awaitConnection(withinMs: Double? = nil) throws(TrialEnd) -> Double {
        let deadline = GradingServer.nowMs + (withinMs ?? patienceMs)
        while newConnections.isEmpty { try receiveMore("a connection", untilMs: deadline) }
        connection = newConnections.removeFirst().connection
        return upgradeRequestedAtMs[connection] ?? GradingServer.nowMs
    }

    /// Checks that no connection is opened for this time.
    func expectNoConnection(forMs: Double) throws(TrialEnd) {
        try wait(ms: forMs)
        guard newConnections.isEmpty else {
            throw .failed(expected: "no other connection", came: "another connection")
        }
    }

    /// Waits until the client has ended its connection.
    func awaitDisconnect() throws(TrialEnd) {
        let deadline = GradingServer.nowMs + patienceMs
        while !endedConnections.contains(connection) {
            try receiveMore("the end of the connection", untilMs: deadline)
        }
    }

    /// Waits until a view is shown like this.
    func expectShown(
        _ pattern: String, of view: String = "list", withinMs: Double? = nil
    ) throws(TrialEnd) {
        let wanted = try parsePattern(pattern)
        let deadline = GradingServer.nowMs + (withinMs ?? patienceMs)
        while true {
            try order("report")
            let matcher = try matchShown(view, wanted)
            if matcher.isMatch { return }
            guard GradingServer.nowMs < deadline else {
                throw .failed(
                    expected: "\(view) shown as \(pattern)",
                    came: shown["views"]?[view]?.text ?? shown.text, matcher.mismatches)
            }
            try wait(ms: 20)
        }
    }

    /// Checks that a view is shown like this, now and for this time.
    func expectStaysShown(
        _ pattern: String, of view: String = "list", forMs: Double
    ) throws(TrialEnd) {
        let wanted = try parsePattern(pattern)
        let deadline = GradingServer.nowMs + forMs
        repeat {
            try order("report")
            let matcher = try matchShown(view, wanted)
            guard matcher.isMatch else {
                throw .failed(
                    expected: "\(view) still shown as \(pattern)",
                    came: shown["views"]?[view]?.text ?? shown.text, matcher.mismatches)
            }
            try wait(ms: 30)
        } while GradingServer.nowMs < deadline
    }

    /// Waits until the client has this status.
    func expectStatus(_ status: String) throws(TrialEnd) {
        let deadline = GradingServer.nowMs + patienceMs
        while try order("report")["status"]?.string != status {
            guard GradingServer.nowMs < deadline else {
                throw .failed(
                    expected: "the status \(status)", came: shown["status"]?.text ?? shown.text)
            }
            try wait(ms: 20)
        }
    }

    private func matchShown(_ view: String, _ wanted: Pattern) throws(TrialEnd) -> Matcher {
        let value = shown["views"]?[view]
        if case .object(let fields) = wanted, let value {
            for field in fields where value[field.name] == nil && field.pattern != .absent {
                throw .notOffered("showing \(field.name)")
            }
        }
        var matcher = Matcher()
        matcher.compare(value, with: wanted)
        return matcher
    }

    private func receiveMore(_ what: String, untilMs deadline: Double) throws(TrialEnd) {
        guard GradingServer.nowMs < deadline else {
            let last = unmatchedMessages.last.map { "; the last message is \($0.value.text)" } ?? ""
            throw .failed(expected: what, came: "none\(last)")
        }
        try receiveEvents(untilMs: deadline)
    }

    private func parsePattern(_ pattern: String) throws(TrialEnd) -> Pattern {
        var scanner = TextScanner(pattern)
        do {
            return try PatternParser(purpose: .pattern).parse(&scanner)
        } catch {
            throw .failed(expected: "a valid pattern in the suite", came: pattern)
        }
    }
}
