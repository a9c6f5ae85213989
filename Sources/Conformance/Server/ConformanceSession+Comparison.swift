internal import RefreshProtocol
internal import ScenarioKit
internal import WireContract

/// The comparison of what the server sent with what is expected.
///
/// - An `expect` step of a case compares the received messages with patterns. `MessageComparison`
///   compares one message with one pattern.
/// - A case that is written in Swift compares values that earlier steps have stored in variables.
/// - In every case, `CheckedPeer` compares each message with the contract (`ConformanceChecks`).
extension ConformanceSession {
    /// Waits until the messages that were received in `run` match the expectation. If the
    /// expectation has no time limit, the limit of the command line applies.
    func compareReceived(
        with expectation: Expectation, over run: inout ScenarioRun
    ) async throws(StepFailure) {
        try await run.perform(.expect(applyingDefaultTimeout(to: expectation)))
    }

    private func applyingDefaultTimeout(to expectation: Expectation) -> Expectation {
        func ms(_ within: Double) -> Double {
            within == Expectation.defaultTimeoutMs ? timeoutMs : within
        }
        return switch expectation {
        case .messages(let patterns, let within): .messages(patterns, withinMs: ms(within))
        case .next(let pattern, let within): .next(pattern, withinMs: ms(within))
        case .together(let patterns, let within): .together(patterns, withinMs: ms(within))
        case .state(let view, let pattern, let within):
            .state(view: view, pattern, withinMs: ms(within))
        case .close(let code, let within): .close(code: code, withinMs: ms(within))
        case .fenced(let within): .fenced(withinMs: ms(within))
        case .nothing, .none: expectation
        }
    }

    /// The tolerance for rounded times, in milliseconds. Servers send times with at least two
    /// decimals, so the rounding is always smaller.
    private static let roundingMs = 1.0

    /// Checks the order of two times that were stored in variables, and the difference between
    /// them.
    func expectElapsed(
        _ earlier: String, _ later: String, atLeastMs: Double = 0, atMostMs: Double = .infinity
    ) throws(StepFailure) {
        guard let first = variable(earlier)?.number, let second = variable(later)?.number else {
            throw StepFailure(expected: "two times", came: "none")
        }
        let passed = second - first
        guard passed >= atLeastMs - Self.roundingMs, passed <= atMostMs else {
            throw StepFailure(
                expected: "a time at least \(atLeastMs) ms after \(first)"
                    + (atMostMs.isFinite ? ", at most \(atMostMs)" : ""),
                came: "\(second)")
        }
    }
}

/// The checks of every message received, created once for all cases.
struct ConformanceChecks: Sendable {
    static let shared = ConformanceChecks()

    /// The check of the rules in docs/protocol.md. Additional members are allowed.
    let open = MessageCheck(SchemaStyle(isClosed: false))
    /// The check of the rules in docs/protocol.md. It also rejects members that docs/protocol.md
    /// does not name.
    let closed = MessageCheck(SchemaStyle(isClosed: true))
}
