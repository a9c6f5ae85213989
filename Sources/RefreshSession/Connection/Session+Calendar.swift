package import RefreshProtocol

extension Session {
    /// If the wall clock was changed, computes again when the client's token expires by the
    /// daemon's clock. Does nothing if the token has no expiry by the wall clock.
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

    /// The wall clock counts as changed if its difference from the daemon's clock has changed by
    /// more than this number of milliseconds.
    private static let clockDriftMs = 100.0
}
