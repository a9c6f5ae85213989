import RefreshProtocol

/// Limits how much output is queued for a client that does not read, and for how long. Closes the
/// connection of a client that exceeds one of these limits.
extension Conversation {
    /// Waits for a client that reads too slowly. If more than a quarter of the limit is queued,
    /// pauses reading from the client, because its messages cause more output. If more than the
    /// limit is queued, closes the connection.
    mutating func waitForSlowClient(at now: Instant) {
        switch phase.stage {
        case .silent, .greeting, .open:
            guard outbox.queuedBytes <= outbox.slowClientBytesMax(services.limits) else {
                return closeSlowClient()
            }
            beginWaiting(at: now)
            if !outbox.hasPausedReading, outbox.queuedBytes > services.limits.queueBytesMax / 4 {
                outbox.hasPausedReading = true
                services.metrics.recordReadingPaused()
                channel.setReadingPaused(true)
            }
            channel.requestWritable()
        // The connection of a client that does not read is closed at once. The session does not
        // wait until the error message can be sent.
        case .closing(let code): closeNow(code)
        case .closed(let keeps): limitQueue(keeping: keeps)
        case .detached: limitQueue(keeping: true)
        }
    }

    /// The time at which the queued output will have waited too long for the client. It is nil if
    /// no output waits.
    var slowClientDue: Instant? {
        outbox.waitsSince?.advanced(byMilliseconds: Double(services.limits.queueAgeMs))
    }

    /// Limits the queue of a disconnected client to `queueBytesMax`. If the queue is larger, it is
    /// dropped, and the session cannot be resumed.
    mutating func limitQueue(keeping keeps: Bool) {
        if keeps, outbox.queuedBytes > services.limits.queueBytesMax { outbox.hasDropped = true }
        if outbox.hasDropped || !keeps { dropQueue() }
    }

    /// Closes the connection of a client for which too much is queued, or for which output has
    /// waited too long. A client whose queue was kept may resume the session.
    mutating func closeSlowClient() {
        services.metrics.recordFault(.slowClient)
        closeNow(.slow)
    }

    /// Ends the wait for the client if everything was sent.
    @inline(never)
    mutating func stopWaitingIfWritable(at now: Instant) {
        guard let since = outbox.waitsSince, channel.isWritable else { return }
        services.metrics.recordQueueAge(microseconds: now.microseconds - since.microseconds)
        // While reading was paused, the silence of the client did not count. From this moment on,
        // the silence counts again.
        if outbox.hasPausedReading { inbound.lastReceivedAt = now }
        stopWaiting()
    }

    /// Begins to wait for the rest of a frame of `bytes` bytes that the channel has partly sent.
    /// This wait has the same time limit as a wait in the queue.
    @inline(never)
    mutating func waitForRest(of bytes: Int, at now: Instant) {
        guard phase.isAnswering else { return }
        outbox.halfSentBytes = bytes
        services.onGrowth?(bytes, key, now)
        beginWaiting(at: now)
        channel.requestWritable()
    }

    private mutating func beginWaiting(at now: Instant) {
        guard outbox.waitsSince == nil else { return }
        outbox.waitsSince = now
        let due = now.advanced(byMilliseconds: Double(services.limits.queueAgeMs))
        phase.timeoutCheckDue = min(phase.timeoutCheckDue, due)
    }

    /// Ends all waiting for the client, because it reads again or its connection is gone.
    mutating func stopWaiting() {
        outbox.waitsSince = nil
        outbox.halfSentBytes = 0
        guard outbox.hasPausedReading else { return }
        outbox.hasPausedReading = false
        services.metrics.recordReadingResumed()
        channel.setReadingPaused(false)
    }
}
