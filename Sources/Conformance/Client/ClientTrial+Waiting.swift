internal import RefreshProtocol
internal import ScenarioKit

/// The expectations of a case about messages and connections.
extension ClientTrial {
    /// Returns the time when the wait for an expectation ends.
    func deadline(_ limit: ClientExpectation.Limit) -> Double {
        switch limit {
        case .standardLimit: GradingServer.nowMs + timeoutMs
        case .ms(let ms): GradingServer.nowMs + ms
        case .promptly: GradingServer.nowMs + promptMs
        }
    }

    /// Waits for a message.
    @discardableResult
    func expect(
        _ form: MessageForm, _ choice: MessageForm.Choice,
        within limit: ClientExpectation.Limit = .standardLimit
    ) throws(TrialEnd) -> ReceivedClientMessage {
        let isPrompt = if case .promptly = limit { true } else { false }
        let deadline = deadline(isPrompt ? .standardLimit : limit)
        while true {
            let index = unmatchedMessages.firstIndex { message in
                form.types.contains(message.type)
                    && (choice == .next
                        || compare(message.value, with: form.pattern.pattern).isMatch)
            }
            guard let index else {
                try receiveMore(filled(form.text), untilMs: deadline)
                continue
            }
            let message = unmatchedMessages.remove(at: index)
            let comparison = compare(message.value, with: form.pattern.pattern)
            guard comparison.isMatch else {
                throw .failed(
                    expected: filled(form.text), came: message.value.text, comparison.mismatches)
            }
            if isPrompt { try expectPrompt(message) }
            guard choice == .last else { return message }
            return try awaitLast(form) ?? message
        }
    }

    /// Waits a short time, returns the last message that matches, and discards all messages of
    /// these types.
    private func awaitLast(_ form: MessageForm) throws(TrialEnd) -> ReceivedClientMessage? {
        try wait(ms: 50)
        return removeReceived(Set(form.types)).last {
            compare($0.value, with: form.pattern.pattern).isMatch
        }
    }

    /// Checks that a message arrived promptly after its cause. The cause of `hello` is the
    /// connection. The cause of any other message is the last order to the driver, which is the
    /// program that operates the client.
    private func expectPrompt(_ message: ReceivedClientMessage) throws(TrialEnd) {
        var (startMs, limitMs) = (lastOrder.startMs, promptMs + lastOrder.takesMs)
        if message.type == "hello", let requestedMs = upgradeRequestedAtMs[message.connection] {
            (startMs, limitMs) = (requestedMs, promptMs)
        }
        guard message.atMs - startMs <= limitMs else {
            throw .failed(
                expected: "the message within \(JSONValue.number(limitMs.rounded()).text) ms",
                came: "\(message.value.text) after \((message.atMs - startMs).rounded()) ms")
        }
    }

    /// Removes and returns all messages of these types received so far.
    @discardableResult
    func removeReceived(_ types: Set<String>) -> [ReceivedClientMessage] {
        let found = unmatchedMessages.filter { types.contains($0.type) }
        unmatchedMessages.removeAll { types.contains($0.type) }
        return found
    }

    /// Returns the first message of this form that is not yet matched by an expectation.
    private func firstUnread(_ form: MessageForm) -> ReceivedClientMessage? {
        unmatchedMessages.first {
            form.types.contains($0.type) && compare($0.value, with: form.pattern.pattern).isMatch
        }
    }

    /// Checks that no message of this form is unmatched, and that none arrives within `forMs`
    /// milliseconds.
    func expectNone(
        _ form: MessageForm, forMs: Double, _ text: FailureText
    ) throws(TrialEnd) {
        try wait(ms: forMs)
        guard let message = firstUnread(form) else { return }
        throw failure(
            text, expected: "no " + form.types.sorted().joined(separator: ", "),
            came: message.value)
    }

    /// Checks that at most `count` messages of this form are unmatched.
    func expectAtMost(
        _ count: Int, _ form: MessageForm, _ text: FailureText
    ) throws(TrialEnd) {
        let found = unmatchedMessages.filter {
            form.types.contains($0.type) && compare($0.value, with: form.pattern.pattern).isMatch
        }
        guard found.count > count else { return }
        throw .failed(
            expected: text.expected ?? "at most \(count) \(form.text)",
            came: "\(found.count) messages")
    }

    /// Waits for messages of these types, and checks that they were sent in this order.
    func expectInOrder(_ types: [String]) throws(TrialEnd) {
        var found: [ReceivedClientMessage] = []
        for type in types { found.append(try expect(MessageForm(type), .next)) }
        guard zip(found, found.dropFirst()).allSatisfy({ $0.seq < $1.seq }) else {
            throw .failed(
                expected: types.joined(separator: ", "),
                came: found.map { "\($0.type) as \($0.seq)" }.joined(separator: ", "))
        }
    }

    /// Receives events for `ms` milliseconds.
    func wait(ms: Double) throws(TrialEnd) {
        let deadline = GradingServer.nowMs + ms
        while GradingServer.nowMs < deadline { try receiveEvents(untilMs: deadline) }
    }

    /// Waits for a connection, and makes it the current connection. Returns the time at which the
    /// client requested the upgrade of that connection.
    @discardableResult
    func awaitConnection(within limit: ClientExpectation.Limit) throws(TrialEnd) -> Double {
        let deadline = deadline(limit)
        while newConnections.isEmpty { try receiveMore("a connection", untilMs: deadline) }
        connection = newConnections.removeFirst().connection
        return upgradeRequestedAtMs[connection] ?? GradingServer.nowMs
    }

    /// Waits for a connection, and checks how long the client waited after the last connection
    /// ended or was refused.
    func expectConnection(
        within limit: ClientExpectation.Limit, notBeforeMs leastMs: Double?
    ) throws(TrialEnd) {
        let endedMs = connectionEndedMs
        let limit = limit.includingBackOff(notBeforeMs: leastMs, timeoutMs: timeoutMs)
        let requestedMs = try awaitConnection(within: limit)
        guard let leastMs else { return }
        connectionEndedMs = requestedMs
        guard requestedMs - endedMs >= leastMs else {
            let wait = JSONValue.number((requestedMs - endedMs).rounded()).text
            throw .failed(
                expected: "a wait of \(JSONValue.number(leastMs).text) ms or more",
                came: "a connection after \(wait) ms")
        }
    }

    /// Waits for a connection, and checks that the client did not wait before it connected.
    func expectConnectionAtOnce() throws(TrialEnd) {
        let waitMs = try awaitConnection(within: .standardLimit) - connectionEndedMs
        guard waitMs < 1000 else {
            throw .failed(expected: "a connection at once", came: "one after \(waitMs) ms")
        }
    }

    /// Checks that no connection is opened within `forMs` milliseconds.
    func expectNoConnection(forMs: Double) throws(TrialEnd) {
        try wait(ms: forMs)
        guard newConnections.isEmpty else {
            throw .failed(expected: "no other connection", came: "another connection")
        }
    }

    /// Waits until the client has ended its connection.
    func awaitDisconnect() throws(TrialEnd) {
        let deadline = deadline(.standardLimit)
        while !endedConnections.contains(connection) {
            try receiveMore("the end of the connection", untilMs: deadline)
        }
    }

    private func receiveMore(_ what: String, untilMs deadline: Double) throws(TrialEnd) {
        guard GradingServer.nowMs < deadline else {
            let last = unmatchedMessages.last.map { "; the last message is \($0.value.text)" } ?? ""
            throw .failed(expected: what, came: "none\(last)")
        }
        try receiveEvents(untilMs: deadline)
    }
}
