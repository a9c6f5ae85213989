package import RefreshProtocol
internal import RefreshSession

// Handles changes of the wall clock. Tokens expire by the wall clock, but sessions use the daemon's
// monotonic clock.
extension SessionHost {
    /// The drift between the two clocks beyond which the sessions are checked against the wall
    /// clock, seconds. The value is less than any manual change of the clock, and more than the
    /// drift that slewing causes.
    private static let driftSeconds = 0.1

    /// Ends the sessions with expired tokens at once, if the wall clock was set. Called about once
    /// a second.
    package func checkWallClock(at now: Instant) {
        guard let lead = wallClockLead, let authenticationService else { return }
        let unixSeconds = authenticationService.unixSeconds
        let moved = unixSeconds - now.seconds - lead
        guard abs(moved) > Self.driftSeconds else { return }
        wallClockLead = unixSeconds - now.seconds
        for session in sessions.elements {
            session.updateTokenExpiry(unixSeconds: unixSeconds, at: now)
            arm(session)
        }
    }

    /// Checks the expiry of the client's token again, because the wall clock may have been set
    /// after the token was verified.
    func checkTokenExpiry(of session: Session, at now: Instant) {
        guard let authenticationService else { return }
        let unixSeconds = authenticationService.unixSeconds
        wallClockLead = wallClockLead ?? unixSeconds - now.seconds
        session.updateTokenExpiry(unixSeconds: unixSeconds, at: now)
    }
}

extension Instant {
    fileprivate var seconds: Double { Double(microseconds) / 1e6 }
}
