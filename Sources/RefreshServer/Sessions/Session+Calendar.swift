internal import RefreshProtocol

extension Session {
    /// The calendar's clock may have been set: the client's token ends by that, if it does.
    func calendarIs(unixSeconds: Double, at now: Instant) {
        var identity = conversation.value.identity
        guard conversation.value.isConnected, let end = identity.expiresUnixSeconds,
            let expected = identity.expires
        else { return }
        let left = min(max(0, end - unixSeconds), WebTokenClaims.lifetimeSecondsMax)
        let expires = now.advanced(byMilliseconds: left * 1000)
        guard abs(expires.milliseconds(since: expected)) > Self.calendarDriftMs else { return }
        identity.expires = expires
        identified(.admitted(identity), at: now)
    }

    /// By how much the two clocks may drift apart before that counts as a step, milliseconds.
    private static let calendarDriftMs = 100.0
}
