import RefreshProtocol
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// A session that moves from one loop to another. Source: docs/architecture.md.
@Suite("A session that changes its loop")
struct SessionHandoffTests {
    /// Admits every client as one subject, until the hour that the client's token states.
    private struct HourAuthenticator: Authenticator {
        var mode: AuthMode { .token }

        func authenticate(
            _ authenticationRequest: AuthenticationRequest, by deadline: Instant,
            _ later: @escaping @Sendable (AdmissionVerdict) -> Void
        ) -> AdmissionVerdict? {
            let hours = Double(authenticationRequest.token ?? "") ?? 0
            return .admitted(
                Identity(subject: "ann", expires: Instant(milliseconds: hours * 3_600_000)))
        }
    }

    @Test("A moved session uses the new loop's limits and the client's new identity")
    func otherIdentity() {
        let fixture = HostFixture(
            authenticationService: AuthenticationService(
                HourAuthenticator(), deadlineMs: 5000, log: .silent)
        )
        let first = fixture.connect(to: 0)
        let welcome = first.open(extra: #","token":"1""#)
        first.send(#"{"type":"refresh","view":"list","seq":2}"#)
        first.hangUp()
        fixture.answerLast(100)
        #expect(fixture.total.detached == 1)
        // Only the old loop gets these limits, so the result shows that the limits of the new loop
        // apply.
        let services = fixture.hosts[0].services
        var limits = services.limits
        limits.queueBytesMax = 64
        fixture.hosts[0].apply(
            limits: limits, feeds: services.feeds, indicators: services.indicators)
        let second = fixture.connect(to: 1)
        let received = second.resume(welcome, extra: #","token":"2""#)
        #expect(received.first("welcome")?["resumed"]?.bool == true)
        #expect(received.first("items")?["count"]?.number == 100)
        #expect(second.session.conversation.value.services === fixture.hosts[1].services)
        #expect(
            second.session.conversation.value.principal.expires
                == Instant(milliseconds: 7_200_000))
    }
}
