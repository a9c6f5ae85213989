import RefreshProtocol

/// Frames by the clock: what moves by itself at the views of a client whose indicators are played.
///
///     due ─▶ (all before is paid) ─▶ told ─▶ written ─▶ charged ─▶ … ─▶ due
///
/// Frames that states bring along, and those that a client's own messages cause, are no such: they
/// cost nothing here and never wait.
extension Conversation {
    /// The earliest moment for more frames by the clock.
    var framesFrom: Instant {
        @inline(__always) get {
            Instant(
                microseconds: max(
                    playBudget.paidUntil.microseconds, framesHeldUntil.microseconds))
        }
    }

    /// Tells the frames that are due.
    mutating func play(at now: Instant) {
        guard framesFrom <= now else { return }
        for index in views.indices {
            guard let due = views[index].look?.indicators.nextFrame, due <= now else { continue }
            // A frame that there is no room for is not kept.
            if channel.isWritable {
                views[index].tellFrame(at: now)
                queueUpdate(ofViewAt: index)
            } else {
                views[index].lookAgain(at: now)
            }
        }
    }

    /// Frames of so many bytes have been written.
    @inline(never)
    mutating func notePlayed(bytes: Int, at now: Instant) {
        playBudget.charge(
            bytes: bytes, perSecond: services.limits.playedBytesPerSecondMax, at: now)
        playedBytes += bytes
        if playBudget.paidUntil > now { services.metrics.framesDefer() }
    }

    /// Frames by the clock wait until then, for the sake of what others of the client's address
    /// are sent.
    mutating func holdFrames(until moment: Instant) { framesHeldUntil = moment }
}
