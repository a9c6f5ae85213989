internal import RefreshBroker
internal import RefreshProtocol

/// The way to a daemon, as long as a scenario says. Frames stay in order, but for those that are
/// late on purpose; without latency they go straight through.
final class Wire: Peer {
    private let peer: any Peer
    private let memory: ScenarioMemory
    /// Where spreads are drawn from.
    var random: SeededRandom
    /// How long a frame takes, either way.
    var latencyMs = 0.0
    /// How much more or less it may be.
    var spreadMs = 0.0
    /// What is on the way to the daemon, by when it arrives.
    private var leaving: [(due: Instant, text: String)] = []
    /// What is on the way from there.
    private var arriving: [(due: Instant, event: PeerEvent)] = []
    /// When the last frame arrives that is not late.
    private var lastOut = Instant.origin
    private var lastIn = Instant.origin
    private var isOver = false

    init(_ peer: any Peer, _ memory: ScenarioMemory, random: SeededRandom) {
        self.peer = peer
        self.memory = memory
        self.random = random
    }

    var now: Instant { peer.now }

    var nextDue: Instant? {
        switch (leaving.first?.due, arriving.first?.due) {
        case (let out?, let back?): min(out, back)
        case (let out, let back): out ?? back
        }
    }

    func send(_ text: String) async throws(PeerError) {
        try await flush()
        lastOut = max(lastOut, now.advanced(byMilliseconds: drawn()))
        guard lastOut > now else { return try await peer.send(text) }
        insert(text, at: lastOut)
    }

    func send(_ text: String, lateMs: Double) async throws(PeerError) {
        try await flush()
        insert(text, at: now.advanced(byMilliseconds: drawn() + lateMs))
    }

    func receive(until deadline: Instant) async throws(PeerError) -> PeerEvent? {
        while true {
            try await flush()
            if let first = arriving.first, first.due <= now {
                return arriving.removeFirst().event
            }
            let moment = min(deadline, nextDue ?? deadline)
            if isOver, now < moment {
                try await peer.idle(until: moment)
            } else if !isOver, let event = try await peer.receive(until: moment) {
                guard let event = held(event) else { continue }
                return event
            }
            if now >= deadline, nextDue.map({ $0 > now }) ?? true { return nil }
            if isOver, nextDue == nil { return nil }
        }
    }

    func say(_ word: FeedWord, ofFeed feed: String) throws(PeerError) {
        try peer.say(word, ofFeed: feed)
    }

    func idle(until deadline: Instant) async throws(PeerError) {
        try await peer.idle(until: deadline)
    }

    func close() async {
        lose()
        await peer.close()
    }

    func cut() async {
        lose()
        await peer.cut()
    }

    /// Waits until the daemon has handled what has reached it. What it says meanwhile is on the way
    /// when the connection goes, and is lost.
    func settle() async throws(PeerError) {
        guard !isOver else { return }
        try await flush()
        // No clock of a client shows it, and no marker of a scenario.
        let marker = "0.0078125"
        try await peer.send("{\"type\":\"ping\",\"t\":\(marker)}")
        let deadline = now.advanced(byMilliseconds: Expectation.patienceMs)
        while let event = try await peer.receive(until: deadline) {
            guard case .frame(let text) = event else { return }
            if text.contains("\"pong\""), text.contains(marker) { return }
        }
    }

    private func lose() {
        leaving = []
        arriving = []
        isOver = true
    }

    /// Hands on what has arrived at the daemon.
    private func flush() async throws(PeerError) {
        while let first = leaving.first, first.due <= now {
            leaving.removeFirst()
            if !isOver { try await peer.send(first.text) }
        }
    }

    /// What has left the daemon, if it is here at once; else nil, and it is on the way.
    private func held(_ event: PeerEvent) -> PeerEvent? {
        if case .closed = event { isOver = true }
        lastIn = max(lastIn, now.advanced(byMilliseconds: drawn()))
        guard lastIn > now || !arriving.isEmpty else { return event }
        arriving.append((lastIn, event))
        return nil
    }

    private func insert(_ text: String, at due: Instant) {
        let index = leaving.firstIndex { $0.due > due } ?? leaving.endIndex
        leaving.insert((due, text), at: index)
    }

    /// How long the next frame takes.
    private func drawn() -> Double {
        guard spreadMs > 0 else { return latencyMs }
        memory.hasDrawn = true
        return latencyMs + Double.random(in: -spreadMs...spreadMs, using: &random)
    }
}
