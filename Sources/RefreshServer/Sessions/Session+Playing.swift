package import RefreshProtocol

/// Frames by the clock, where others of the client's address have some too.
extension Session {
    /// The bytes of those that were written since this was last asked.
    func takePlayedBytes() -> Int {
        defer { conversation.value.playedBytes = 0 }
        return conversation.value.playedBytes
    }

    /// They wait until then, for the sake of what the others are sent.
    package func holdFrames(until moment: Instant, at now: Instant) {
        recorder?.enters(.held(until: moment), at: now)
        conversation.value.holdFrames(until: moment)
        recorder?.handOver()
    }
}
