package import RefreshProtocol
internal import RefreshSession

// Handles changes of the wall clock. Tokens expire by the wall clock, but sessions use the daemon's
// monotonic clock.
extension SessionHost {
    /// The drift between the two clocks beyond which the sessions are checked against the wall
    /// clock, in seconds. The value is less than any manual change of the clock, and more than the
    /// drift that a gradual correction of the clock (slewing) causes.
    private static let driftSeconds = 0.1

    /// If the wall clock was changed, ends the sessions with expired tokens at once. Called about
    /// once a second.
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

    /// Checks the expiry of the client's token again, because the wall clock may have been changed
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
