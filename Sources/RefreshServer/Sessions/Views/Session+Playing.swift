package import RefreshProtocol

/// The share of clock-driven frames among the sessions of one client address.
extension Session {
    /// Returns the bytes of clock-driven frames that were written since the last call.
    func takePlayedBytes() -> Int {
        defer { conversation.value.renderMode.playedBytes = 0 }
        return conversation.value.renderMode.playedBytes
    }

    /// Delays clock-driven frames until `moment`, because of the frames for other sessions of the
    /// address.
    package func holdFrames(until moment: Instant, at now: Instant) {
        recorder?.enters(.held(until: moment), at: now)
        conversation.value.holdFrames(until: moment)
        recorder?.handOver()
    }
}
