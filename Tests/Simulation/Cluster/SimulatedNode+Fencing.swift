import RefreshCluster
import RefreshProtocol
import RefreshServer

/// Gives the claims of a daemon's sessions to its node. The sessions begin before the node.
///
/// `@unchecked Sendable`: a world runs on one thread.
final class SimulatedFencing: SessionFencing, @unchecked Sendable {
    weak var node: SimulatedNode?
    /// Called when a connection claims a session or resumes it without a claim, with the session,
    /// the name that the session of the connection has at this moment, and whether it is a claim.
    var recordReturn: ((_ session: String, _ name: String, _ isClaim: Bool) -> Void)?

    func claim(
        _ session: String, _ head: SessionHead, answer: @escaping @Sendable (ClaimVerdict) -> Void
    ) {
        guard let node else { return answer(.unfenced) }
        recordReturn?(session, head.history.steps.last?.line ?? "", true)
        node.claim(session, head, answer)
    }

    func post(_ event: SessionFence.Event) {
        if case .resumed(let session, _, _) = event { recordReturn?(session, session, false) }
        node?.post(event)
    }
}

/// The part of the node in keeping each session at one node. It does what `ClusterLoop` does.
extension SimulatedNode {
    func claim(
        _ session: String, _ head: SessionHead, _ answer: @escaping @Sendable (ClaimVerdict) -> Void
    ) {
        guard !isEnded, defect != .approvesClaims else { return answer(.fenced) }
        let began = agenda.now
        post { node in
            node.lastClaim += 1
            node.claims[node.lastClaim] = { [agenda = node.agenda, record = node.record] verdict in
                record(session, verdict, agenda.now.milliseconds(since: began))
                answer(verdict)
            }
            node.handle(.claim(node.lastClaim, session: session, head, askedAt: began))
        }
    }

    func post(_ event: SessionFence.Event) {
        guard defect != .approvesClaims else { return }
        var event = event
        // The clocks of the simulated daemons differ from that of the bus.
        if case .resumed(let session, let head, _) = event {
            event = .resumed(session: session, head, at: agenda.now)
        }
        if defect == .ignoresRevocations, case .ended(let session, let line, _) = event {
            event = .ended(session: session, line: line, revoking: nil)
        }
        if defect == .overstatesHeads, case .inspected(let session, let head?) = event {
            event = .inspected(session: session, Self.overstated(head))
        }
        if defect == .ignoresConfirmations, case .inspected(let session, let head?) = event {
            event = .inspected(session: session, SessionHead(head.history, received: 0))
        }
        post { [event] in $0.handle(event) }
    }

    /// The head of a client that has resumed here once more, and has received the `welcome`.
    private static func overstated(_ head: SessionHead) -> SessionHead? {
        var history = head.history
        history.recordWelcome()
        return SessionHead(history, received: history.welcomes)
    }

    /// A message arrives that concerns the store.
    func receive(_ bytes: [UInt8], on subject: String) {
        post { node in
            guard let arrival = node.fence?.store.arrival(on: subject) else { return }
            node.handle(.received(arrival, bytes))
        }
    }

    func handle(_ event: SessionFence.Event) {
        var effects: [SessionFence.Effect] = []
        fence?.handle(event, at: agenda.now, into: &effects)
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: SessionFence.Effect) {
        switch effect {
        case .send(let message): bus.request(message, by: self)
        case .answer(let number, let verdict): claims.removeValue(forKey: number)?(verdict)
        case .inspect(let session): fencedSessions?.inspect(session)
        case .close(let session, let head):
            if defect != .keepsLostSessions { fencedSessions?.close(session, head) }
        case .available, .unavailable: break
        }
    }

    /// Answers all claims that wait, because this node leaves the cluster.
    func endClaims() {
        for (_, answer) in claims.sorted(by: { $0.key < $1.key }) { answer(.unfenced) }
        claims = [:]
    }

    var fenceCounters: FenceCounters { fence?.counters ?? FenceCounters() }
}
