import RefreshBroker
import RefreshProtocol

@testable import ScenarioKit

/// Applies the same gestures to the lists of a stream client and a local client, and compares what
/// they show frame by frame.
final class LawPreviewPlayback {
    let seed: UInt64
    var random: SeededRandom
    var attach: RandomAttach
    let stream: LawPeer
    let local: LawPeer
    private(set) var t = 0.0
    /// The offset of the list as its platform knows it. After a command of the daemon has moved the
    /// list, this is the shown offset.
    var offset: Double
    /// The first difference that was found.
    private(set) var difference: String?
    private(set) var frames = 0
    private var answersLoads = true
    /// The times at which loads are answered.
    private var answers: [(at: Double, name: String, result: String)] = []
    /// Whether a finger has caught the moving list.
    var isCaught = false

    /// `latency` is the time that a message takes in either direction, in milliseconds.
    init(
        seed: UInt64, latency: Double = 0, keepsWire: Bool = false, timeline: LawTimeline? = nil
    ) {
        self.seed = seed
        var random = SeededRandom(seed: seed)
        let pans = random.chance(35)
        let attach = RandomAttach(&random, pans: pans && latency == 0)
        self.random = random
        self.attach = attach
        stream = LawPeer(attach, frames: "stream", latency: latency, keepsWire: keepsWire)
        local = LawPeer(
            attach, frames: "local", latency: latency, keepsWire: keepsWire,
            timeline: timeline)
        offset = stream.picture.offset
    }

    /// Creates a playback of a given view. The caller answers its loads.
    init(
        _ attach: RandomAttach, latency: Double = 0, keepsWire: Bool = false,
        timeline: LawTimeline? = nil
    ) {
        seed = 0
        random = SeededRandom(seed: 0)
        self.attach = attach
        answersLoads = false
        stream = LawPeer(attach, frames: "stream", latency: latency, keepsWire: keepsWire)
        local = LawPeer(
            attach, frames: "local", latency: latency, keepsWire: keepsWire, timeline: timeline)
        offset = stream.picture.offset
    }

    // MARK: Time

    /// Advances the time by `ms` milliseconds, and handles the events in this time.
    func pass(_ ms: Double) {
        let end = t + ms
        scheduleAnswers()
        while let next = answers.map(\.at).min(), next <= end {
            t = max(t, next)
            for peer in [stream, local] { peer.advance(to: t) }
            guard let index = answers.firstIndex(where: { $0.at <= t }) else { break }
            let answer = answers.remove(at: index)
            for peer in [stream, local] { peer.answer(answer.name, answer.result) }
            grow(answer.result)
            scheduleAnswers()
        }
        t = end
        for peer in [stream, local] { peer.advance(to: t) }
        for peer in [stream, local] { peer.tick() }
    }

    /// Schedules the answers of new loads. For some loads, the clients first report that the load
    /// has begun.
    private func scheduleAnswers() {
        guard answersLoads else { return }
        for load in stream.loads where !answers.contains(where: { $0.name == load.name }) {
            // With latency, no answer may arrive during a gesture, because it could arrive at one
            // client before a sample, and at the other client after the sample.
            let delay =
                stream.latency > 0 ? 3000 : random.pick(0.0, 40, 300, 900, 2500)
            let result = random.chance(75) ? "success" : "failed"
            answers.append((t + delay, load.name, result))
            if random.chance(30) {
                for peer in [stream, local] { peer.begin(load.name) }
            }
        }
    }

    /// After a page has arrived, the content grows in most cases.
    private func grow(_ result: String) {
        guard result == "success", random.chance(60) else { return }
        attach.content += random.pick(0, 400, 1000)
        sendGeometry()
    }

    func sendGeometry() {
        let change = JSONValue.object([
            .init("type", .string("geometry")), .init("content", attach.size(attach.content)),
        ])
        send(change)
    }

    func send(_ message: JSONValue) {
        for peer in [stream, local] { peer.send(message) }
        followCommands()
    }

    /// Both clients receive the sample.
    func move(_ sample: HandSample) {
        if case .offset(let new) = sample.position { offset = new }
        for peer in [stream, local] { peer.move(sample) }
    }

    /// Sets the offset of the list to the shown one, because a command may have moved the list.
    func followCommands() { offset = stream.picture.offset }

    // MARK: Comparing

    /// The difference between the two clients after all motion has ended. Nil if there is none.
    var finalDifference: String? {
        difference = nil
        compare("at the end")
        return difference
    }

    func compare(_ what: String) {
        frames += 1
        local.drawFrame()
        guard difference == nil else { return }
        let (a, b) = (stream.picture, local.picture)
        var found: [String] = []
        if abs(a.offset - b.offset) > 0.5 { found.append("offset \(a.offset) \(b.offset)") }
        for edge in Set(a.insets.keys).union(b.insets.keys) {
            let (x, y) = (a.insets[edge] ?? 0, b.insets[edge] ?? 0)
            if abs(x - y) > 0.5 { found.append("inset \(edge) \(x) \(y)") }
        }
        for (name, edge) in a.edges {
            guard let other = b.edges[name] else { continue }
            if edge.state != other.state {
                found.append("\(name) \(edge.state) \(other.state)")
            } else if abs(edge.progress - other.progress) > 0.01, !isTheirs(name) {
                found.append("\(name) progress \(edge.progress) \(other.progress)")
            }
        }
        if a.floor != b.floor { found.append("floor \(a.floor) \(b.floor)") }
        if stream.log != local.log {
            found.append("loads \(stream.log.suffix(4)) \(local.log.suffix(4))")
        }
        if stream.faults != local.faults || stream.faults.contains(where: { $0 != "unknownLoad" }) {
            found.append("faults \(stream.faults.suffix(3)) \(local.faults.suffix(3))")
        }
        if !found.isEmpty {
            difference = "seed \(seed), t \(t), \(what): " + found.joined(separator: "; ")
        }
    }

    /// Whether the platform's own control at this edge determines what is shown beyond the
    /// threshold.
    private func isTheirs(_ edge: String) -> Bool {
        edge == attach.refreshEdge && attach.isPlatform
    }
}
