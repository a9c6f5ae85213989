internal import MessageBus
internal import RefreshCluster
internal import RefreshProtocol

/// The part in keeping each session at one node.
extension ClusterLoop {
    mutating func handle(_ event: SessionFence.Event, at now: Instant) {
        var effects: [SessionFence.Effect] = []
        fence?.handle(event, at: now, into: &effects)
        for effect in effects { perform(effect) }
    }

    mutating func claim(
        _ session: String, _ head: SessionHead, askedAt: Instant,
        _ answer: @escaping @Sendable (ClaimVerdict) -> Void, at now: Instant
    ) {
        lastClaim += 1
        claims[lastClaim] = answer
        handle(.claim(lastClaim, session: session, head, askedAt: askedAt), at: now)
    }

    private mutating func perform(_ effect: SessionFence.Effect) {
        switch effect {
        case .send(let message):
            var envelope = BusEnvelope(replySubject: message.replySubject)
            if let revision = message.expectedRevision {
                envelope.headers = [
                    BusEnvelope.Header("Nats-Expected-Last-Subject-Sequence", String(revision))
                ]
            }
            send(message.bytes, to: message.subject, envelope)
        case .answer(let number, let verdict): claims.removeValue(forKey: number)?(verdict)
        case .inspect(let session): host.directory.inspect(session)
        case .close(let session, let head): host.directory.close(session, head)
        case .available: host.log(.fencingAvailable)
        case .unavailable(let reason): host.log(.fencingUnavailable, [.reason: reason])
        }
    }
}
