internal import RefreshProtocol
internal import ScenarioKit

/// The steps of a case.
extension ClientTrial {
    /// Plays steps in order, until one fails or ends the case.
    func play(_ steps: [ClientStep]) throws(TrialEnd) {
        for step in steps where !isFinished {
            switch step {
            case .server(let action): try play(action)
            case .client(let action): try play(action)
            case .flow(let action): try play(action)
            case .expect(let expectation): try expect(expectation)
            }
        }
    }

    private func play(_ action: ClientStep.ServerAction) throws(TrialEnd) {
        switch action {
        case .send(let patterns, let isStrange):
            variables["now"] = ServerMessages.time
            var messages: [JSONValue] = []
            for pattern in patterns { messages.append(try message(pattern)) }
            try send(messages, isStrange: isStrange)
        case .close(let code): close(code)
        case .cut: cut()
        case .refuseUpgrades(let count): server.refuseUpgrades(count)
        case .setAnswersPings(let answers): server.setAnswersPings(answers)
        case .answerBye:
            guard !endedConnections.contains(connection) else { return }
            try send([try message("bye")])
            close(1000)
        }
    }

    private func play(_ action: ClientStep.ClientAction) throws(TrialEnd) {
        switch action {
        case .order(let order, let members):
            try self.order(order, try value(of: members) ?? .object([]))
        case .connect(let options): try connect(options)
        case .answerHello(let options): try answerHello(options)
        case .open(let options): try open(options)
        case .springIntoRoom: try springIntoRoom()
        }
    }

    private func play(_ action: ClientStep.FlowAction) throws(TrialEnd) {
        switch action {
        case .wait(let ms): try wait(ms: ms)
        case .skip(let types): removeReceived(Set(types))
        case .assign(let name, let pattern): store(try value(of: pattern), as: name)
        case .measureDriver: try measureDriver()
        case .allowDisconnect: expectsDisconnect = true
        case .check(let name, let pattern, let text):
            let comparison = compare(variables[name], with: pattern.pattern)
            guard comparison.isMatch else {
                throw failure(
                    text, expected: pattern.text, came: variables[name], comparison.mismatches)
            }
        case .finishIf(let name, let pattern):
            if compare(variables[name], with: pattern.pattern).isMatch { isFinished = true }
        case .requireShown(let form, let feature):
            if !compare(shown["views"]?[form.view], with: form.pattern.pattern).isMatch {
                throw .notOffered(feature)
            }
        }
    }

    private func expect(_ expectation: ClientExpectation) throws(TrialEnd) {
        switch expectation {
        case .message(let form, let choice, let limit, let name):
            let message = try expect(form, choice, within: limit)
            if let name { store(message, as: name) }
        case .noMessage(let form, let forMs, let text):
            try expectNone(form, forMs: forMs, text)
        case .inOrder(let types): try expectInOrder(types)
        case .atMost(let count, let form, let text): try expectAtMost(count, form, text)
        case .fallingOffsets: try expectFallingOffsets()
        case .clock(let first, let last): try expectClock(from: first, to: last)
        case .shown(let form, let limit, let name, let text):
            try expectShown(form, within: limit, text)
            if let name { store(shown["views"]?[form.view], as: name) }
        case .staysShown(let form, let forMs, let text):
            try expectStaysShown(form, forMs: forMs, text)
        case .mostlyAt(let places, let forMs, let text):
            try expectMostly(at: places, forMs: forMs, text)
        case .settled(let amount): try expectRest(at: try number(of: amount))
        case .status(let status): try expectStatus(status)
        case .body: try expectBody()
        case .reportedError(let code): try expectReportedError(code)
        case .subprotocol(let name):
            guard !subprotocols.contains(name) else { return }
            throw .failed(expected: name, came: subprotocols.joined(separator: ", "))
        case .connection(let limit, let leastMs):
            try expectConnection(within: limit, notBeforeMs: leastMs)
        case .connectionAtOnce: try expectConnectionAtOnce()
        case .comeback: try awaitComeback()
        case .noConnection(let forMs): try expectNoConnection(forMs: forMs)
        case .disconnect: try awaitDisconnect()
        }
    }

    /// Returns the failure of a step. The report shows `value` as the actual result, unless the
    /// step has its own text for the actual result.
    func failure(
        _ text: FailureText, expected: String, came value: JSONValue?, _ mismatches: [Mismatch] = []
    ) -> TrialEnd {
        .failed(
            expected: filled(text.expected ?? expected),
            came: text.came.map(filled) ?? value?.text ?? "nothing",
            text.expected == nil ? mismatches : [])
    }
}
