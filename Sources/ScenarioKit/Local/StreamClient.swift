package import RefreshProtocol

/// A client that shows the state that the daemon sends. It sends a sample for each frame within a
/// range of interest, in which the daemon needs samples.
package struct StreamClient: ThinClient {
    private var received = ReceivedView()
    private var writer: SampleWriter
    private let silenceMs: Double
    /// The current movement of the list; nil if it rests.
    private var movement: Movement?
    /// The offset of the last sample, or the target of a later command of the daemon. The list
    /// rests at this offset when nothing moves it.
    private var restOffset = 0.0
    /// The last offset that the daemon knows.
    private var knownOffset = 0.0
    /// The `seq` of the first sent sample of the last movement. The daemon computes its answers to
    /// earlier messages without this movement, so an `offset` in them is dropped.
    private var movementSeq = 0

    private struct Movement {
        var last: HandSample
        var isFingerDown: Bool
        /// When the last sample of the movement was sent. Nil if none was sent.
        var lastSentAt: Double?
        var isInside = false
    }

    /// Creates a client. `seq` is the last sequence number of the session. `offset` is the initial
    /// offset of the list.
    package init(view: String, after seq: Int, offset: Double, silenceMs: Double) {
        writer = SampleWriter(view: view, after: seq)
        self.silenceMs = silenceMs
        restOffset = offset
        knownOffset = offset
        received.offset.set(offset)
    }

    package mutating func receive(_ message: JSONValue, at t: Double) {
        switch message["type"]?.string {
        case "attached":
            received.applyAttached(message)
            movementSeq = message.placeSeqAfterAttach(movementSeq)
        case "update":
            let isLate = (message["ack"]?.wholeNumber ?? 0) < movementSeq
            received.applyUpdate(message, movesList: !isLate, at: t)
            if !isLate, let to = message["offset"]?["to"]?.number {
                (restOffset, knownOffset) = (to, to)
            }
        default: break
        }
    }

    package mutating func handleSample(_ sample: HandSample) -> [JSONValue] {
        if case .offset(let offset) = sample.position { received.offset.set(offset) }
        var movement = self.movement ?? Movement(last: sample, isFingerDown: false)
        // A movement of a resting list starts at the last offset that the daemon knows. This offset
        // determines whether the movement starts within a range of interest.
        if self.movement == nil { movement.isInside = received.law.isOfInterest(knownOffset) }
        if sample.phase == .began {
            movement = Movement(last: sample, isFingerDown: true)
        } else if movement.lastSentAt == nil, sample.phase == .dragging {
            movement.isFingerDown = true
        }
        movement.last = sample
        let messages = encodeIfOfInterest(sample, &movement)
        switch sample.phase {
        case .ended, .cancelled: movement.isFingerDown = false
        case .began, .dragging, .decelerating, .idle: break
        }
        if case .offset(let offset) = sample.position { restOffset = offset }
        let isOver = sample.phase == .idle || (sample.isPan && !movement.isFingerDown)
        self.movement = isOver ? nil : movement
        return messages
    }

    private mutating func encodeIfOfInterest(_ sample: HandSample, _ movement: inout Movement)
        -> [JSONValue]
    {
        guard case .offset(let offset) = sample.position else {
            // The daemon moves the list, so it needs every sample.
            let isFirst = movement.lastSentAt == nil
            movement.lastSentAt = sample.t
            let message = panMessage(sample)
            if isFirst { movementSeq = writer.seq }
            return [message]
        }
        let wasInside = movement.isInside
        movement.isInside = received.law.isOfInterest(offset)
        switch sample.phase {
        case .ended, .cancelled: guard movement.lastSentAt != nil else { return [] }
        case .idle:
            // If a program moves a resting list, this can be the only sample of the movement.
            let isInteresting = movement.isInside || wasInside
            let isJump = !sample.isFinger && isInteresting && offset != knownOffset
            guard movement.lastSentAt != nil || isJump else { return [] }
        case .began: guard movement.isInside else { return [] }
        case .dragging, .decelerating:
            guard movement.isInside || wasInside else { return [] }
        }
        return encodeWithGestureStart(sample, offset, &movement)
    }

    private mutating func panMessage(_ sample: HandSample) -> JSONValue {
        let shown = sample.phase == .began ? received.offset.value(at: sample.t) : nil
        return writer.sampleMessage(sample, with: [("offset", shown)])
    }

    /// Returns the messages for the sample. If the start of its movement was not sent, the first
    /// message has the phase `began`.
    private mutating func encodeWithGestureStart(
        _ sample: HandSample, _ offset: Double, _ movement: inout Movement
    ) -> [JSONValue] {
        knownOffset = offset
        let isNew = movement.lastSentAt.map { sample.t - $0 >= silenceMs } ?? true
        // Each step of a wheel is a movement.
        if isNew || sample.isWheelStep { movementSeq = writer.seq + 1 }
        movement.lastSentAt = sample.t
        guard isNew, sample.isFinger else { return [writer.sampleMessage(sample)] }
        switch sample.phase {
        case .began, .ended, .cancelled, .idle: return [writer.sampleMessage(sample)]
        case .dragging: return [writer.sampleMessage(sample, phase: .began)]
        case .decelerating:
            return [.began, .ended, .decelerating].map { writer.sampleMessage(sample, phase: $0) }
        }
    }

    package mutating func tick(at t: Double) -> [JSONValue] {
        guard var movement, movement.isFingerDown, let sentAt = movement.lastSentAt,
            t - sentAt >= 2000,
            movement.last.isPan || received.law.isOfInterest(received.offset.value(at: t))
        else { return [] }
        movement.lastSentAt = t
        movement.last.t = t
        if !movement.last.isPan { movement.last.position = .offset(received.offset.value(at: t)) }
        self.movement = movement
        return [writer.sampleMessage(movement.last, phase: .dragging)]
    }

    package mutating func prepareMessage(_ message: JSONValue, at t: Double) -> [JSONValue] {
        let before = flushPendingSample(at: t)
        let numbered = writer.numberedMessage(message)
        if message.placesList { movementSeq = writer.seq }
        return before + [numbered]
    }

    /// Returns the current sample of the list if it was not sent to the daemon.
    private mutating func flushPendingSample(at t: Double) -> [JSONValue] {
        guard var movement else {
            guard restOffset != knownOffset, !received.offset.isMoving(at: t) else { return [] }
            knownOffset = restOffset
            movementSeq = writer.seq + 1
            return [writer.sampleMessage(HandSample(t: t, .offset(restOffset), phase: .idle))]
        }
        var sample = movement.last
        sample.t = t
        if !sample.isPan { sample.position = .offset(received.offset.value(at: t)) }
        guard case .offset(let offset) = sample.position else {
            self.movement?.lastSentAt = t
            return [writer.sampleMessage(sample, phase: .dragging)]
        }
        guard sample.isFinger || offset != knownOffset else { return [] }
        sample.phase = movement.isFingerDown ? .dragging : .decelerating
        let messages = encodeWithGestureStart(sample, offset, &movement)
        self.movement = movement
        return messages
    }

    package func isAnimating(at t: Double) -> Bool { received.offset.isMoving(at: t) }

    package var isMoving: Bool { movement != nil }

    package func display(at t: Double) -> DisplayState {
        DisplayState(
            offset: received.offset.value(at: t), insets: received.insetShares(at: t),
            edges: received.edges.mapValues {
                DisplayState.Edge(state: $0.state, progress: $0.progress)
            },
            floor: received.floor)
    }
}

extension HandSample {
    /// Whether the daemon moves the list.
    var isPan: Bool {
        if case .travel = position { true } else { false }
    }

    /// Whether a wheel moves the list.
    var isWheelStep: Bool { cause == .wheel && phase == .decelerating }
}

extension JSONValue {
    /// Returns the `seq` of the last movement after this `attached`. A movement that was sent
    /// before the attach does not count any more.
    func placeSeqAfterAttach(_ movementSeq: Int) -> Int {
        guard let ack = self["ack"]?.wholeNumber, ack > 0 else { return 0 }
        return movementSeq > ack ? movementSeq : 0
    }

    /// Whether this message of a client reports the offset of the list without an anchor. Commands
    /// that precede it have no effect.
    var placesList: Bool {
        self["type"]?.string == "geometry" && self["offset"] != nil && self["anchor"] == nil
    }
}
