internal import Glibc
internal import RefreshBroker
internal import WebSocketTransport

/// One client of the load. Belongs to its loop's thread.
final class LoadedSession {
    enum Phase {
        case waiting, dialing, greeting, playing, leaving, over
    }

    /// Whose it is, by its place in the plan.
    let target: Int
    /// All of one kind.
    let gestures: [LoadGesture]
    var phase = Phase.waiting
    var connection: ClientConnection?
    /// When it was dialed, in microseconds.
    var dialedAt: Int64 = 0
    /// Of the last message that carried one.
    var seq = 0
    /// The gesture under way, its next frame, and when it began, in microseconds.
    private(set) var gesture = 0
    private(set) var frame = 0
    private(set) var beganAt: Int64 = 0
    private var random: SeededRandom
    /// When each frame was due that was not answered yet, the oldest first.
    private var due: [Int64] = []
    private var firstDue = 0
    /// The number of the oldest of these.
    private var firstPing = 0

    init(target: Int, gestures: [LoadGesture], seed: UInt64) {
        self.target = target
        self.gestures = gestures
        random = SeededRandom(seed: seed)
    }

    /// How many frames nothing has answered.
    var pending: Int { due.count - firstDue }

    /// What it says next.
    var nextFrame: LoadFrame { gestures[gesture].frames[frame] }

    /// A gesture begins then.
    func begin(at now: Int64) {
        gesture = Int.random(in: gestures.indices, using: &random)
        frame = 0
        beganAt = now
    }

    /// A moment within so many microseconds.
    func moment(within span: Int64) -> Int64 {
        span > 0 ? Int64.random(in: 0..<span, using: &random) : 0
    }

    /// A frame is sent that was due then; returns its number.
    func sends(dueAt at: Int64) -> Int {
        due.append(at)
        return firstPing + pending - 1
    }

    /// Whether frames before that of this number wait for their answers.
    func leavesOut(_ ping: Int) -> Bool { ping > firstPing && ping - firstPing < pending }

    /// The frame of that number is answered: when it was due; nil if it was not waited for. What
    /// was sent before it and not answered never will be.
    func answers(_ ping: Int) -> Int64? {
        let place = ping - firstPing
        guard place >= 0, place < pending else { return nil }
        let at = due[firstDue + place]
        firstDue += place + 1
        firstPing = ping + 1
        if firstDue > 64, firstDue * 2 > due.count {
            due.removeFirst(firstDue)
            firstDue = 0
        }
        return at
    }

    /// The frame under way was sent when it was due: goes on to the next one, and returns when that
    /// is; nil: when this one is answered.
    func goOn(dueAt at: Int64, pace: LoadPlan.Pace) -> Int64? {
        frame += 1
        let isOver = frame == gestures[gesture].frames.count
        switch pace {
        case .closed:
            if isOver { begin(at: at) }
            return nil
        case .rate(let rate):
            let next = at + max(1, Int64(1_000_000 / rate))
            if isOver { begin(at: next) }
            return next
        case .recorded(let speed, let pause):
            if isOver { begin(at: at + length(ofPause: pause)) }
            return beganAt + Int64(Double(nextFrame.at) / speed)
        }
    }

    /// Exponential, so that the gestures of many clients are independent of each other; at most ten
    /// times the mean.
    private func length(ofPause mean: Int64) -> Int64 {
        guard mean > 0 else { return 0 }
        let length = -Double(mean) * log(1 - Double.random(in: 0..<1, using: &random))
        return Int64(min(length, Double(mean) * 10))
    }
}
