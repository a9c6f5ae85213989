internal import RefreshProtocol

/// What a session may still send: frames and bytes, so many a second, twice as many at once.
///
/// A message costs two subtractions and a comparison: it is taken from a small share, and only when
/// that is used up another share is asked of the buckets, which know the time. So a session that
/// was quiet may send a sixteenth more than twice as much at once, never less.
struct Allowance: Hashable, Codable {
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

    /// Takes one frame of so many bytes; false: ask `renew` whether it may be.
    @inline(__always)
    mutating func take(bytes count: Int) -> Bool {
        frames &-= 1
        bytes &-= count
        return frames | bytes >= 0
    }

    /// Takes new shares, where they are used up; the fault if there is not so much to take.
    ///
    /// What is refused costs all that there is, and no more: nothing is owed that time could not
    /// pay, for whoever comes back to the session has it with its allowance.
    @inline(never)
    mutating func renew(at now: Instant) -> FaultCode? {
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
            _ = bucket.take(there, at: now)
            count = 0
            return false
        }
        _ = bucket.take(taken, at: now)
        count += taken
        return true
    }
}
