package import RefreshProtocol

extension Session {
    /// If the client's token expires by the wall clock, adapts its expiry to a possible change of
    /// that clock.
    package func updateTokenExpiry(unixSeconds: Double, at now: Instant) {
        var identity = conversation.value.principal.identity
        guard conversation.value.phase.isConnected, let end = identity.expiresUnixSeconds,
            let expected = identity.expires
        else { return }
        let left = min(max(0, end - unixSeconds), Identity.lifetimeSecondsMax)
        let expires = now.advanced(byMilliseconds: left * 1000)
        guard abs(expires.milliseconds(since: expected)) > Self.clockDriftMs else { return }
        identity.expires = expires
        handle(.identified(.admitted(identity)), at: now)
    }

    /// The drift between the two clocks beyond which the wall clock counts as set, milliseconds.
    private static let clockDriftMs = 100.0
}
