package import RefreshProtocol

/// A client that renders each frame by the control law and sends only samples that change
/// something. A range of interest is a range of offsets in which the daemon needs samples. The rule
/// numbers in this file are those of docs/protocol.md, "What a client sends".
package struct LocalClient: ThinClient {
    var received = ReceivedView()
    var writer: SampleWriter
    let silenceMs: Double
    let isRightToLeft: Bool
    /// The current movement of the list. Nil if the list rests.
    var movement: Movement?
    /// The offset of the last sample, or the target of a later command of the daemon. The list
    /// rests at this offset when nothing moves it.
    var restOffset: Double
    /// The last offset that the daemon knows.
    var knownOffset: Double
    /// The `seq` of the first sent sample of the last movement. The daemon computes its answers to
    /// earlier messages without this movement, so an `offset` in them is dropped.
    private var movementSeq = 0
    /// Whether the last motion that was sent to the daemon led towards the end of the content.
    var knownTowardsEnd = false
    /// The motion of the list: the offset in the previous frame, the offset where the last motion
    /// began, and whether this motion led towards the end of the content.
    var previousOffset: Double
    var turnOffset: Double
    var towardsEnd = false
    /// Whether a finger came down at the offset of the previous frame, and that offset was not sent
    /// to the daemon.
    var beganAtUnsentOffset = false
    var speedMeter = SpeedMeter()
    /// The predicted state of the refresh edge, and the `seq` of the message that it was predicted
    /// from.
    var predicted: (prediction: Prediction, seq: Int)?
    /// The unanswered samples that were sent while the law had no pull at the refresh edge. Each
    /// entry has the `seq` of a sample, and the progress of the load-more edge before it. There are
    /// at most `unseenPullsMax` entries.
    private var beforeUnseenPulls: [(seq: Int, progress: Double)] = []
    private static let unseenPullsMax = 64
    /// The room that opens because of a prediction, and the `seq` of the message that it was
    /// predicted from.
    var opening: (room: Double, seq: Int)?
    /// The `seq` of the last message whose answer contains the offset of the list under the finger.
    private var panSeq = 0

    /// One movement of the list: from the touch of a finger until the list rests, or a motion by
    /// wheel, keys or program.
    struct Movement {
        var last: HandSample
        var isFingerDown: Bool
        /// The offset at which the finger came down.
        var origin: Double
        /// Equal to `origin` if a command was moving the list when the finger came down. In that
        /// case the daemon has this offset only from its own command.
        var caughtOffset: Double?
        /// The sample with which the finger was lifted, if it was not sent.
        var liftSample: HandSample?
        /// When the last sample of the movement was sent.
        var lastSentAt: Double?
        /// The time of the last sample that a client would have sent if it sent a sample in every
        /// frame. Nil if such a client would have sent no sample.
        var streamSentAt: Double?
        /// Whether the list was within a range of interest in the previous frame.
        var isInside = false
        /// The anchor of a finger of `pan`; nil if the offset comes from the daemon.
        var anchor: FingerAnchor?
    }

    /// Creates a client. `seq` is the last sequence number of the session. `offset` is the initial
    /// offset of the list.
    package init(
        view: String, after seq: Int, offset: Double, silenceMs: Double,
        isRightToLeft: Bool = false
    ) {
        writer = SampleWriter(view: view, after: seq)
        self.silenceMs = silenceMs
        self.isRightToLeft = isRightToLeft
        restOffset = offset
        knownOffset = offset
        previousOffset = offset
        turnOffset = offset
        received.offset.set(offset)
    }

    package mutating func receive(_ message: JSONValue, at t: Double) {
        switch message["type"]?.string {
        case "attached":
            received.applyAttached(message)
            movementSeq = message.placeSeqAfterAttach(movementSeq)
        case "update": applyUpdate(message, at: t)
        default: break
        }
    }

    private mutating func applyUpdate(_ message: JSONValue, at t: Double) {
        let ack = message["ack"]?.wholeNumber ?? 0
        let isEcho = ack == panSeq && message["blend"] == nil
        let isLate = ack < movementSeq
        let holds = movement?.anchor != nil && movement?.isFingerDown == true
        let (rest, resistance) = (received.law.rest, received.law.resistance)
        received.applyUpdate(
            message, movesList: !isLate && !(holds && isEcho),
            openEdge: openEdge(message, ack: ack), at: t)
        undoProgressUnderPull(message, ack: ack)
        if let predicted, ack >= predicted.seq { self.predicted = nil }
        let to = isLate ? nil : message["offset"]?["to"]?.number
        if let to, !(holds && isEcho) {
            (restOffset, knownOffset, previousOffset, turnOffset) = (to, to, to, to)
            towardsEnd = knownTowardsEnd
            speedMeter.rebase(to: to)
        }
        if let to, isEcho, let movement, movement.isFingerDown, movement.last.isPan,
            movement.anchor == nil
        {
            updateProgress(at: to)
        }
        let isOther = rest != received.law.rest || resistance != received.law.resistance
        if holds, isOther || (to != nil && !isEcho) {
            // Beyond the previous resting range, the shown offset is approximate, because the
            // client computed it from the resistance.
            let isExact = to != nil && !isEcho || rest.contains(received.offset.value(at: t))
            reanchorFinger(at: t, isExact: isExact)
        }
    }

    /// Returns the refresh edge if `message` opens the room that this client is already opening
    /// because of a prediction.
    private mutating func openEdge(_ message: JSONValue, ack: Int) -> String? {
        guard let opening, ack >= opening.seq else { return nil }
        self.opening = nil
        guard let edge = received.refreshEdge, message["blend"] == nil,
            message["inset"]?[edge]?.number == opening.room
        else { return nil }
        return edge
    }

    /// If the answer to a sample shows that the sample pulled the refresh edge, restores the
    /// progress that the load-more edge had before the sample.
    private mutating func undoProgressUnderPull(_ message: JSONValue, ack: Int) {
        let answered = beforeUnseenPulls.first { $0.seq == ack }
        beforeUnseenPulls.removeAll { $0.seq <= ack }
        guard let answered, let refresh = received.refreshEdge,
            let edge = message[refresh], Self.isPulledBySample(edge)
        else { return }
        // The samples that were sent later were also handled while the refresh edge was pulled.
        beforeUnseenPulls = []
        guard let more = received.loadMoreEdge, message[more] == nil else { return }
        received.setProgress(answered.progress, at: more)
    }

    /// Whether a finger has pulled the refresh edge, according to the edge's member of an `update`.
    private static func isPulledBySample(_ edge: JSONValue) -> Bool {
        switch edge["state"]?.string.flatMap(EdgeState.init) {
        case .pulling, .eligible: true
        case .triggered, .refreshing: edge["cause"]?.string == Cause.finger.rawValue
        default: false
        }
    }

    package mutating func handleSample(_ sample: HandSample) -> [JSONValue] {
        // Whether a command of the daemon was moving the list before this sample.
        let isMovedByCommand = isAnimating(at: sample.t)
        let wasMoved = isMovedByCommand || self.movement?.lastSentAt != nil
        var movement =
            self.movement ?? Movement(last: sample, isFingerDown: false, origin: knownOffset)
        // A movement of a resting list starts at the last offset that the daemon knows. This offset
        // determines whether the movement starts within a range of interest.
        if self.movement == nil { movement.isInside = received.law.isOfInterest(knownOffset) }
        if sample.phase == .began || (self.movement == nil && sample.phase == .dragging) {
            movement = Movement(last: sample, isFingerDown: true, origin: knownOffset)
            movement.isInside = true
            anchorFinger(sample, &movement)
            if isMovedByCommand { movement.caughtOffset = movement.origin }
        }
        movement.last = sample
        let wasInside = movement.isInside
        let offset = applyPosition(of: sample, movement)
        if sample.phase == .began {
            beganAtUnsentOffset = offset == previousOffset && offset != knownOffset
            resetMotion(at: offset)
        }
        updateMotion(to: offset)
        let messages =
            sample.isPan
            ? handlePan(sample, at: offset, wasMoved, &movement)
            : handleScroll(sample, at: offset, wasMoved, &movement)
        let isLift = sample.phase == .ended || sample.phase == .cancelled
        let hasMoved = offset != previousOffset
        let isTracked = sample.isPan || movement.isInside || wasInside
        if isTracked {
            recordSample(sample, at: offset, &movement)
        } else if isLift, movement.lastSentAt != nil {
            // If samples of the movement were sent, its end is sent at any offset (rule 2).
            previousOffset = offset
        }
        restOffset = offset
        switch sample.phase {
        case .ended, .cancelled: movement.isFingerDown = false
        case .idle:
            let counts = hasMoved && movement.streamSentAt != nil
            speedMeter.reset(at: offset, t: sample.t, rests: !counts)
            resetMotion(at: offset)
            knownTowardsEnd = false
        case .began, .dragging, .decelerating: break
        }
        let isOver = sample.phase == .idle || (sample.isPan && !movement.isFingerDown)
        self.movement = isOver ? nil : movement
        return messages
    }

    /// Records a sample. A client that sends a sample in every frame would have sent it.
    private mutating func recordSample(
        _ sample: HandSample, at offset: Double, _ movement: inout Movement
    ) {
        // A `began` is sent only within a range of interest.
        if sample.isPan || sample.phase != .began || movement.isInside {
            movement.streamSentAt = sample.t
        }
        let isShown = !sample.isPan || movement.anchor != nil
        let isTouch = sample.isPan && sample.phase == .began
        let isMotion = sample.phase == .dragging || sample.phase == .decelerating
        let isEvaluated = isMotion || (isTouch && !isBusy)
        // If `attention` is `movement`, the daemon does not evaluate the offset of a `cancelled`.
        let isIgnored = sample.phase == .cancelled && received.evaluatesOnlyMovement
        if isShown, !isIgnored, offset != previousOffset || isEvaluated {
            updateProgress(at: offset)
        }
        previousOffset = offset
    }

    /// Updates the motion for the offset in this frame.
    private mutating func updateMotion(to offset: Double) {
        guard offset != previousOffset else { return }
        (turnOffset, towardsEnd) = (
            previousOffset, movesTowardsEnd(from: previousOffset, to: offset)
        )
    }

    /// Starts a movement that has not moved the list yet.
    mutating func resetMotion(at offset: Double) {
        (turnOffset, previousOffset, towardsEnd) = (offset, offset, false)
    }

    /// Returns the message for a sample, and shows the state that the client predicts from it.
    mutating func encodeSample(
        _ sample: HandSample, phase: ScrollPhase? = nil, at offset: Double,
        with extra: [(String, Double?)] = [], _ movement: inout Movement
    ) -> JSONValue {
        var extra = extra
        let written = phase ?? sample.phase
        // If the daemon moves the list, the velocity is not sent, because the daemon computes it.
        let isHeld = !sample.isPan || movement.anchor != nil
        let moves =
            written == .dragging || written == .decelerating
            || (written == .began && sample.phase != .began)
        let isNow = sample.phase != .ended && sample.phase != .cancelled
        // A list that is pulled at the refresh edge does not load more.
        let counts = !isPulled(at: offset) || !received.law.follow.isEmpty
        if hasLead, isHeld, moves, isNow, counts, speedMeter.speed != 0 {
            extra.append(("velocity", speedMeter.speed * 1000))
        }
        let origin = origin(of: offset, written)
        if written != .began { extra.append(("from", origin)) }
        if sample.phase == .began, beganAtUnsentOffset, !sample.isPan {
            extra.append(("from", offset))
        }
        var message = writer.sampleMessage(sample, phase: phase, with: extra)
        // Each step of a wheel is a movement.
        if written == .began || movement.lastSentAt == nil || sample.isWheelStep {
            movementSeq = writer.seq
        }
        recordProgressIfPullUnseen()
        let from =
            extra.lazy.filter { $0.0 == "from" }.compactMap(\.1).first
            ?? (written == .began ? sample.isPan ? movement.origin : offset : knownOffset)
        if offset != from { knownTowardsEnd = movesTowardsEnd(from: from, to: offset) }
        if written == .began, from == offset { knownTowardsEnd = false }
        knownOffset = offset
        movement.lastSentAt = sample.t
        movement.streamSentAt = sample.t
        if sample.isPan { panSeq = writer.seq }
        let prediction = predict(
            written, at: offset, movement, isPan: sample.isPan,
            hasNotMoved: sample.phase == .began || (!sample.isPan && from == offset))
        if let prediction {
            predicted = (prediction, writer.seq)
            message["predicted"] = .string(prediction.rawValue)
            if prediction == .refreshing { openRoom(at: sample.t) }
        }
        return message
    }

    /// Records the progress of the load-more edge if the sent sample may pull the refresh edge and
    /// the client cannot determine whether it does.
    private mutating func recordProgressIfPullUnseen() {
        guard let refresh = received.refreshEdge, let sight = received.law.edges[refresh],
            sight == nil, [.idle, .finishing].contains(refreshState),
            let more = received.loadMoreEdge, let edge = received.edges[more]
        else { return }
        if beforeUnseenPulls.count == Self.unseenPullsMax { beforeUnseenPulls.removeFirst() }
        beforeUnseenPulls.append((writer.seq, edge.progress))
    }

    /// Whether the velocity of the list can cause an edge to load.
    var hasLead: Bool { received.hasLead }

    package mutating func tick(at t: Double) -> [JSONValue] {
        guard var movement, movement.isFingerDown, let sentAt = movement.streamSentAt,
            t - sentAt >= 2000
        else { return [] }
        var sample = movement.last
        sample.t = t
        sample.phase = .dragging
        let offset = received.offset.value(at: t)
        if !sample.isPan { sample.position = .offset(offset) }
        guard sample.isPan || received.law.isOfInterest(offset) else { return [] }
        // A client that sends a sample in every frame would repeat its sample at this point, so
        // this sample counts for the speed (rule 9).
        speedMeter.record(offset, t: t)
        movement.streamSentAt = t
        let isReported = movement.lastSentAt != nil
        let messages = isReported ? [encodeSample(sample, at: offset, &movement)] : []
        self.movement = movement
        return messages
    }

    package mutating func prepareMessage(_ message: JSONValue, at t: Double) -> [JSONValue] {
        let before = flushPendingSample(at: t)
        let text = writer.numberedMessage(message)
        // The answer to the message contains the offset of the list under the finger, unless the
        // message is `geometry`.
        if before.last?["type"]?.string == "pan", message["type"]?.string != "geometry" {
            panSeq = writer.seq
        }
        if message.placesList { movementSeq = writer.seq }
        return before + [text]
    }

    /// Returns the current sample of the list if it was not sent to the daemon.
    private mutating func flushPendingSample(at t: Double) -> [JSONValue] {
        guard var movement else {
            guard restOffset != knownOffset, !isAnimating(at: t) else { return [] }
            knownOffset = restOffset
            movementSeq = writer.seq + 1
            return [writer.sampleMessage(HandSample(t: t, .offset(restOffset), phase: .idle))]
        }
        let offset = received.offset.value(at: t)
        // The sample of a movement without a finger was already sent. If it were sent again, the
        // daemon would request another page.
        guard movement.last.isFinger || offset != knownOffset else { return [] }
        var sample = movement.last
        sample.t = t
        sample.phase = movement.isFingerDown ? .dragging : .decelerating
        if !sample.isPan { sample.position = .offset(offset) }
        speedMeter.record(offset, t: t)
        updateMotion(to: offset)
        let entered = !sample.isPan && !movement.isInside
        let messages = encodeWithHeldSamples(sample, at: offset, &movement, entered: entered)
        previousOffset = offset
        self.movement = movement
        return messages
    }

    package func isAnimating(at t: Double) -> Bool { received.offset.isMoving(at: t) }

    package var isMoving: Bool { movement != nil }
}
