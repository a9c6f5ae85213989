package import RefreshProtocol

// Tokens end by the calendar's clock, which may be set; sessions count by the daemon's, which runs.
extension SessionHost {
    /// Seconds by which the two may move against each other before sessions are held against the
    /// calendar's: less than anybody sets it by, more than it is steered by.
    private static let driftSeconds = 0.1

    /// Called about once a second: if the calendar's clock was set, those end at once whose tokens
    /// have.
    package func lookAtCalendar(at now: Instant) {
        guard let lead = calendarLead, let entrance else { return }
        let unixSeconds = entrance.unixSeconds
        let moved = unixSeconds - now.seconds - lead
        guard abs(moved) > Self.driftSeconds else { return }
        calendarLead = unixSeconds - now.seconds
        for session in sessions.elements {
            session.calendarIs(unixSeconds: unixSeconds, at: now)
            arm(session)
        }
    }

    /// A client was let in by such a token; since it was looked at the clock may have been set.
    func holdAgainstCalendar(_ session: Session, at now: Instant) {
        guard let entrance else { return }
        let unixSeconds = entrance.unixSeconds
        calendarLead = calendarLead ?? unixSeconds - now.seconds
        session.calendarIs(unixSeconds: unixSeconds, at: now)
    }
}

extension Instant {
    fileprivate var seconds: Double { Double(microseconds) / 1e6 }
}
