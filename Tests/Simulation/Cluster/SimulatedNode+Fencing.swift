import RefreshCluster
import RefreshProtocol
import RefreshServer

/// Gives the claims of a daemon's sessions to its node. The sessions begin before the node.
///
/// `@unchecked Sendable`: a world runs on one thread.
final class SimulatedFencing: SessionFencing, @unchecked Sendable {
    weak var node: SimulatedNode?

    func claim(
        _ session: String, _ head: SessionHead, answer: @escaping @Sendable (ClaimVerdict) -> Void
    ) {
        guard let node else { return answer(.unfenced) }
        node.claim(session, head, answer)
    }

    func post(_ event: SessionFence.Event) { node?.post(event) }
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
            node.handle(.claim(node.lastClaim, session: session, head))
        }
    }

    func post(_ event: SessionFence.Event) {
        guard defect != .approvesClaims else { return }
        var event = event
        if defect == .ignoresRevocations, case .ended(let session, let line, _) = event {
            event = .ended(session: session, line: line, revoking: nil)
        }
        post { [event] in $0.handle(event) }
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
        case .close(let session, let line):
            if defect != .keepsLostSessions { fencedSessions?.close(session, line: line) }
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
