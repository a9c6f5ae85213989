internal import RefreshBackends
internal import RefreshBroker
package import RefreshConfiguration
package import RefreshProtocol
package import RefreshSession
internal import WebSocketTransport

/// Authenticates clients by a request to an HTTP service. Source: docs/configuration.md, "auth".
///
/// Each request has its own task, and libcurl's thread waits for the answer. At the deadline, a
/// request without an answer is abandoned, whether it is queued or in flight.
package struct AuthHookAccess: Authenticator {
    private let settings: AuthHookSettings
    private let post: HTTPPost
    private let semaphore: FairSemaphore
    private let clock: AccessClock

    package var mode: AuthMode { .http }
    package var details: AuthenticationDetails { .arrival(headers: settings.forward) }

    /// Throws if a setting is invalid.
    init(_ settings: AuthHookSettings, clock: AccessClock) throws(BackendConfigurationError) {
        self.settings = settings
        self.clock = clock
        semaphore = FairSemaphore(most: settings.calls)
        post = try HTTPPost(
            url: settings.url, ca: settings.ca, timeoutMs: settings.deadlineMs,
            answerBytesMax: AuthHookSettings.answerBytesMax)
    }

    package func authenticate(
        _ authenticationRequest: AuthenticationRequest, by deadline: Instant,
        _ later: @escaping @Sendable (AdmissionVerdict) -> Void
    ) -> AdmissionVerdict? {
        let own = clock.now().advanced(byMilliseconds: Double(settings.deadlineMs))
        let deadline = min(own, deadline)
        Task { later(await verdict(on: authenticationRequest, by: deadline)) }
        return nil
    }

    private func verdict(on authenticationRequest: AuthenticationRequest, by deadline: Instant)
        async
        -> AdmissionVerdict
    {
        let network = authenticationRequest.arrival.peer.flatMap { PeerNetwork($0) }
        guard await semaphore.acquire(withinMs: remainingMs(until: deadline), for: network) else {
            return .unavailable(.queueTimeout)
        }
        defer { semaphore.release() }
        let left = remainingMs(until: deadline)
        guard left > 0 else { return .unavailable(.queueTimeout) }
        do throws(AuthenticationFailure) {
            let answer = try await sendRequest(authenticationRequest, withinMs: left)
            guard answer.status == 200 else { throw .status }
            return try AuthHookAnswer(answer.body).verdict(now: clock.now())
        } catch {
            return .unavailable(error)
        }
    }

    private func sendRequest(
        _ authenticationRequest: AuthenticationRequest, withinMs milliseconds: Int
    ) async throws(AuthenticationFailure) -> HTTPPost.Answer {
        do throws(LoadFailure) {
            return try await post.answer(
                to: AuthHookQuestion.json(of: authenticationRequest), timeoutMs: milliseconds)
        } catch {
            throw AuthenticationFailure(error.code)
        }
    }

    /// The time left in whole milliseconds, rounded up so that a fraction of a millisecond counts.
    private func remainingMs(until deadline: Instant) -> Int {
        Int(max(0, deadline.milliseconds(since: clock.now())).rounded(.up))
    }
}

extension AuthenticationFailure {
    /// Creates the failure for the fault code of a failed call.
    fileprivate init(_ code: FaultCode) {
        self =
            switch code {
            case .backendTimedOut: .late
            case .backendUntrusted: .untrusted
            case .backendAnswerTooLarge: .tooLarge
            case .backendAnswerMalformed: .malformed
            default: .unreachable
            }
    }
}
