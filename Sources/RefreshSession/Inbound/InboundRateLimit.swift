internal import RefreshProtocol

/// The rate limit of a client's input: frames and bytes per second. A burst may contain twice the
/// amount of one second.
///
/// Each message is charged to a share, which is the allowance of a sixteenth of a second. This
/// costs only two subtractions and a comparison. When the share is used up, the next share is
/// consumed from the token buckets, which requires the current time. A session that was idle can
/// therefore exceed the burst by one share. A session never gets less than the burst.
struct InboundRateLimit: Hashable, Codable {
    private var frames = 0
    private var bytes = 0
    private var frameBucket: TokenBucket
    private var byteBucket: TokenBucket
    private let frameShare: Int
    private let byteShare: Int

    private static let sharesPerSecond = 16

    init(_ limits: Limits, now: Instant) {
        frameBucket = TokenBucket(perSecond: limits.framesPerSecondMax, now: now)
        byteBucket = TokenBucket(perSecond: limits.receivedBytesPerSecondMax, now: now)
        frameShare = limits.framesPerSecondMax / Self.sharesPerSecond
        byteShare = limits.receivedBytesPerSecondMax / Self.sharesPerSecond
    }

    /// Charges one frame of `count` bytes. If this returns false, `refill` decides whether the
    /// frame is permitted.
    @inline(__always)
    mutating func consume(bytes count: Int) -> Bool {
        frames &-= 1
        bytes &-= count
        return frames | bytes >= 0
    }

    /// Refills used-up shares from the token buckets. Returns the fault if a bucket does not
    /// contain enough.
    ///
    /// A refused message uses up the rest of the share and of the bucket. Neither becomes negative.
    /// Both are part of the session, and a client that resumes the session must not inherit a debt.
    @inline(never)
    mutating func refill(at now: Instant) -> FaultCode? {
        let hasFrames = Self.fill(&frames, share: frameShare, from: &frameBucket, at: now)
        let hasBytes = Self.fill(&bytes, share: byteShare, from: &byteBucket, at: now)
        return hasFrames ? (hasBytes ? nil : .tooManyBytes) : .tooManyFrames
    }

    private static func fill(
        _ count: inout Int, share: Int, from bucket: inout TokenBucket, at now: Instant
    ) -> Bool {
        guard count < 0 else { return true }
        let there = Int(bucket.available(at: now))
        let taken = min(there, share - count)
        guard taken + count >= 0 else {
            _ = bucket.consume(there, at: now)
            count = 0
            return false
        }
        _ = bucket.consume(taken, at: now)
        count += taken
        return true
    }
}
