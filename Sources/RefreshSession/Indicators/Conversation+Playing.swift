import RefreshProtocol

/// Clock-driven frames are the frames that a `stream` client receives while an indicator moves
/// without input. `PlayBudget` limits them.
///
///     due ─▶ (earlier frames are paid for) ─▶ queued ─▶ written ─▶ charged ─▶ … ─▶ due
///
/// Frames that are sent with a change of state, or in answer to the client's messages, are not
/// clock-driven. They are not charged and never wait.
extension Conversation {
    /// The earliest time at which more clock-driven frames may be sent.
    var nextFramesAllowedAt: Instant {
        @inline(__always) get {
            Instant(
                microseconds: max(
                    renderMode.budget.paidUntil.microseconds, renderMode.heldUntil.microseconds))
        }
    }

    /// Queues the frames that are due.
    mutating func enqueueDueFrames(at now: Instant) {
        guard nextFramesAllowedAt <= now else { return }
        for index in views.indices {
            guard let due = views[index].presentation?.indicators.nextFrame, due <= now else {
                continue
            }
            // A frame that cannot be sent now is skipped.
            if channel.isWritable {
                views[index].prepareFrame(at: now)
                enqueueUpdate(ofViewAt: index)
            } else {
                views[index].advanceIndicators(at: now)
            }
        }
    }

    /// Charges clock-driven frames of `bytes` bytes that were written.
    @inline(never)
    mutating func chargePlayedFrames(bytes: Int, at now: Instant) {
        renderMode.budget.charge(
            bytes: bytes, perSecond: services.limits.playedBytesPerSecondMax, at: now)
        renderMode.playedBytes += bytes
        if renderMode.budget.paidUntil > now { services.metrics.recordFramesDeferred() }
    }

    /// Delays clock-driven frames until `moment`, because of the frames for other clients of the
    /// same network.
    mutating func holdFrames(until moment: Instant) { renderMode.heldUntil = moment }
}
