internal import RefreshBroker
internal import RefreshProtocol

/// A simulated network to a daemon, with the latency that a scenario sets. Frames stay in order,
/// except those that a scenario delays. Without latency, frames are forwarded at once.
final class SimulatedNetwork: Peer {
    private let peer: any Peer
    private let memory: ScenarioMemory
    /// The random generator of the latency spread.
    var random: SeededRandom
    /// The latency of a frame, in either direction.
    var latencyMs = 0.0
    /// The maximum deviation from the latency.
    var spreadMs = 0.0
    /// The frames in transit to the daemon, in the order of their arrival.
    private var outgoing: [(due: Instant, text: String)] = []
    /// The events in transit from the daemon.
    private var incoming: [(due: Instant, event: PeerEvent)] = []
    /// The time at which the last frame that is not delayed by a scenario arrives at the daemon.
    private var lastOut = Instant.origin
    private var lastIn = Instant.origin
    private var hasEnded = false

    init(_ peer: any Peer, _ memory: ScenarioMemory, random: SeededRandom) {
        self.peer = peer
        self.memory = memory
        self.random = random
    }

    var now: Instant { peer.now }

    var nextDue: Instant? {
        switch (outgoing.first?.due, incoming.first?.due) {
        case (let out?, let back?): min(out, back)
        case (let out, let back): out ?? back
        }
    }

    func send(_ text: String) async throws(PeerError) {
        try await flush()
        lastOut = max(lastOut, now.advanced(byMilliseconds: nextLatencyMs()))
        guard lastOut > now else { return try await peer.send(text) }
        insert(text, at: lastOut)
    }

    func send(_ text: String, lateMs: Double) async throws(PeerError) {
        try await flush()
        insert(text, at: now.advanced(byMilliseconds: nextLatencyMs() + lateMs))
    }

    func receive(until deadline: Instant) async throws(PeerError) -> PeerEvent? {
        while true {
            try await flush()
            if let first = incoming.first, first.due <= now {
                return incoming.removeFirst().event
            }
            let moment = min(deadline, nextDue ?? deadline)
            if hasEnded, now < moment {
                try await peer.idle(until: moment)
            } else if !hasEnded, let event = try await peer.receive(until: moment) {
                guard let event = delayIncoming(event) else { continue }
                return event
            }
            if now >= deadline, nextDue.map({ $0 > now }) ?? true { return nil }
            if hasEnded, nextDue == nil { return nil }
        }
    }

    func simulate(_ word: FeedEvent, ofFeed feed: String) throws(PeerError) {
        try peer.simulate(word, ofFeed: feed)
    }

    func idle(until deadline: Instant) async throws(PeerError) {
        try await peer.idle(until: deadline)
    }

    func close() async {
        discardInTransit()
        await peer.close()
    }

    func cut() async {
        discardInTransit()
        await peer.cut()
    }

    /// Waits until the daemon has handled all frames that it has received. A scenario calls this
    /// before it breaks the connection. The answers that arrive meanwhile are dropped, because they
    /// would still be in transit at that moment.
    func awaitServerProcessing() async throws(PeerError) {
        guard !hasEnded else { return }
        try await flush()
        // This value occurs neither as a time of a client's clock nor as a marker of a scenario.
        let marker = "0.0078125"
        try await peer.send("{\"type\":\"ping\",\"t\":\(marker)}")
        let deadline = now.advanced(byMilliseconds: Expectation.defaultTimeoutMs)
        while let event = try await peer.receive(until: deadline) {
            guard case .frame(let text) = event else { return }
            if text.contains("\"pong\""), text.contains(marker) { return }
        }
    }

    private func discardInTransit() {
        outgoing = []
        incoming = []
        hasEnded = true
    }

    /// Forwards the frames that are due at the daemon.
    private func flush() async throws(PeerError) {
        while let first = outgoing.first, first.due <= now {
            outgoing.removeFirst()
            if !hasEnded { try await peer.send(first.text) }
        }
    }

    /// Returns an event from the daemon if it arrives at once. If it arrives later, queues the
    /// event as in transit, and returns nil.
    private func delayIncoming(_ event: PeerEvent) -> PeerEvent? {
        if case .closed = event { hasEnded = true }
        lastIn = max(lastIn, now.advanced(byMilliseconds: nextLatencyMs()))
        guard lastIn > now || !incoming.isEmpty else { return event }
        incoming.append((lastIn, event))
        return nil
    }

    private func insert(_ text: String, at due: Instant) {
        let index = outgoing.firstIndex { $0.due > due } ?? outgoing.endIndex
        outgoing.insert((due, text), at: index)
    }

    /// Returns the latency of the next frame.
    private func nextLatencyMs() -> Double {
        guard spreadMs > 0 else { return latencyMs }
        memory.hasDrawnRandom = true
        return latencyMs + Double.random(in: -spreadMs...spreadMs, using: &random)
    }
}
