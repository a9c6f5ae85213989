package import RefreshProtocol

/// A client that renders each frame by the control law and sends only samples that change
/// something.
package struct LocalClient: ThinClient {
    var told = ToldView()
    var writer: SampleWriter
    let silenceMs: Double
    let isRightToLeft: Bool
    /// The current movement of the list; nil if it rests.
    var movement: Movement?
    /// The offset at which the list rests without a command, by the samples.
    var restsAt: Double
    /// The last offset that the daemon knows.
    var known: Double
    /// Whether the list moved towards its end in the last motion that the daemon knows.
    var knownTowardsEnd = false
    /// The offset in the frame before, the offset before the last motion, and whether that motion
    /// led towards the end.
    var previous: Double
    var turn: Double
    var towardsEnd = false
    /// Whether a finger came down at the offset of the frame before, and the daemon does not know
    /// that offset.
    var isWhereItWas = false
    var pace = SpeedMeter()
    /// The predicted state of the refresh edge, and the `seq` of the message that predicted it.
    var predicted: (prediction: Prediction, seq: Int)?
    /// The `seq` of the last message whose answer has the finger's offset.
    private var panSeq = 0

    /// One movement: a finger from touch to rest, or a wheel, keys, or the program.
    struct Movement {
        var last: HandSample
        var isFingerDown: Bool
        /// The offset at which the finger came down.
        var origin: Double
        /// The same, if a command moved the list. The daemon knows the offset only by that command.
        var caughtAt: Double?
        /// The sample with which the finger was lifted, if it was not sent.
        var lifted: HandSample?
        /// When the last sample of the movement was sent.
        var toldAt: Double?
        /// When a client that sends every frame would have sent its last sample.
        var heardAt = 0.0
        /// Whether the list was within a range of interest in the frame before.
        var isInside = false
        /// The anchor of a finger of `pan`; nil if the offset comes from the daemon.
        var hold: Hold?
        var isCancelled = false
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
        restsAt = offset
        known = offset
        previous = offset
        turn = offset
        told.offset.set(offset)
    }

    package mutating func receive(_ message: JSONValue, at t: Double) {
        switch message["type"]?.string {
        case "attached": told.attach(message)
        case "update": update(message, at: t)
        default: break
        }
    }

    private mutating func update(_ message: JSONValue, at t: Double) {
        let ack = message["ack"]?.wholeNumber ?? 0
        let isEcho = ack == panSeq && message["blend"] == nil
        let holds = movement?.hold != nil && movement?.isFingerDown == true
        let (rest, resistance) = (told.law.rest, told.law.resistance)
        told.update(message, movesList: !(holds && isEcho), at: t)
        if let predicted, ack >= predicted.seq { self.predicted = nil }
        let to = message["offset"]?["to"]?.number
        if let to, !(holds && isEcho) {
            (restsAt, known, previous, turn) = (to, to, to, to)
            towardsEnd = knownTowardsEnd
            pace.move(to: to)
        }
        if let to, isEcho, let movement, movement.isFingerDown, movement.last.isPan,
            movement.hold == nil
        {
            showProgress(at: to)
        }
        let isOther = rest != told.law.rest || resistance != told.law.resistance
        if holds, isOther || (to != nil && !isEcho) {
            // Beyond the old range, the shown offset is not exact.
            let isExact = to != nil && !isEcho || rest.contains(told.offset.value(at: t))
            holdAnew(at: t, isExact: isExact)
        }
    }

    package mutating func move(_ sample: HandSample) -> [JSONValue] {
        // The finger catches a list that moves, as far as the daemon knows.
        let isMovedByCommand = isMoved(at: sample.t)
        let wasMoved = isMovedByCommand || self.movement?.toldAt != nil
        var movement = self.movement ?? Movement(last: sample, isFingerDown: false, origin: known)
        // A movement of a resting list starts where the daemon knows the list, inside or outside
        // interest.
        if self.movement == nil { movement.isInside = told.law.isOfInterest(known) }
        if sample.phase == .began || (self.movement == nil && sample.phase == .dragging) {
            movement = Movement(last: sample, isFingerDown: true, origin: known)
            movement.isInside = true
            takeHold(sample, &movement)
            if isMovedByCommand { movement.caughtAt = movement.origin }
        }
        movement.last = sample
        let wasInside = movement.isInside
        let offset = show(sample, movement)
        if sample.phase == .began {
            isWhereItWas = offset == previous && offset != known
            begin(at: offset)
        }
        hear(offset)
        let messages =
            sample.isPan
            ? pan(sample, at: offset, wasMoved, &movement)
            : scroll(sample, at: offset, wasMoved, &movement)
        let isHeard = sample.isPan || movement.isInside || wasInside
        if isHeard { note(sample, at: offset, &movement) }
        restsAt = offset
        switch sample.phase {
        case .ended, .cancelled: movement.isFingerDown = false
        case .idle:
            pace.stand(at: offset, t: sample.t, rests: true)
            begin(at: offset)
            knownTowardsEnd = false
        case .began, .dragging, .decelerating: break
        }
        let isOver = sample.phase == .idle || (sample.isPan && !movement.isFingerDown)
        self.movement = isOver ? nil : movement
        return messages
    }

    /// Records a sample that a client that sends every frame would have sent.
    private mutating func note(
        _ sample: HandSample, at offset: Double, _ movement: inout Movement
    ) {
        movement.heardAt = sample.t
        let isShown = !sample.isPan || movement.hold != nil
        let isTouch = sample.isPan && sample.phase == .began
        let isLookedAt = sample.phase == .dragging || (isTouch && !isBusy)
        if isShown, offset != previous || isLookedAt { showProgress(at: offset) }
        previous = offset
    }

    /// Updates the motion for the offset in this frame.
    private mutating func hear(_ offset: Double) {
        guard offset != previous else { return }
        (turn, towardsEnd) = (previous, leads(from: previous, to: offset))
    }

    /// Starts a movement that has not moved the list yet.
    mutating func begin(at offset: Double) {
        (turn, previous, towardsEnd) = (offset, offset, false)
    }

    /// Returns the message for a sample, and applies its prediction to the display.
    mutating func write(
        _ sample: HandSample, phase: ScrollPhase? = nil, at offset: Double,
        with extra: [(String, Double?)] = [], _ movement: inout Movement
    ) -> JSONValue {
        var extra = extra
        let written = phase ?? sample.phase
        // If the daemon moves the list, it knows the velocity.
        let isHeld = !sample.isPan || movement.hold != nil
        let moves = written == .dragging || written == .decelerating || written == .began
        let isNow = sample.phase != .ended && sample.phase != .cancelled
        // A list that is pulled does not load more at its end.
        let counts = !isPulled(at: offset) || !told.law.follow.isEmpty
        if hasLead, isHeld, moves, isNow, counts, pace.speed != 0 {
            extra.append(("velocity", pace.speed * 1000))
        }
        let origin = origin(of: offset, written)
        if written != .began { extra.append(("from", origin)) }
        if sample.phase == .began, isWhereItWas, !sample.isPan {
            extra.append(("from", offset))
        }
        var message = writer.sample(sample, phase: phase, with: extra)
        let from =
            extra.lazy.filter { $0.0 == "from" }.compactMap(\.1).first
            ?? (written == .began ? sample.isPan ? movement.origin : offset : known)
        if offset != from { knownTowardsEnd = leads(from: from, to: offset) }
        if written == .began, from == offset { knownTowardsEnd = false }
        known = offset
        movement.toldAt = sample.t
        movement.heardAt = sample.t
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

    /// Whether an edge may load by the velocity of the list.
    var hasLead: Bool { told.hasLead }

    package mutating func tick(at t: Double) -> [JSONValue] {
        guard var movement, movement.isFingerDown, movement.toldAt != nil,
            t - movement.heardAt >= 2000
        else { return [] }
        var sample = movement.last
        sample.t = t
        sample.phase = .dragging
        let offset = told.offset.value(at: t)
        if !sample.isPan { sample.way = .offset(offset) }
        guard sample.isPan || told.law.isOfInterest(offset) else { return [] }
        pace.note(offset, t: t)
        let message = write(sample, at: offset, &movement)
        self.movement = movement
        return [message]
    }

    package mutating func say(_ message: JSONValue, at t: Double) -> [JSONValue] {
        let before = present(at: t)
        let said = writer.message(message)
        // The answer has the finger's offset, unless the geometry changes.
        if before.last?["type"]?.string == "pan", message["type"]?.string != "geometry" {
            panSeq = writer.seq
        }
        return before + [said]
    }

    /// Returns the current sample of the list, if the daemon does not know it.
    private mutating func present(at t: Double) -> [JSONValue] {
        guard var movement else {
            guard restsAt != known, !isMoved(at: t) else { return [] }
            known = restsAt
            return [writer.sample(HandSample(t: t, .offset(restsAt), phase: .idle))]
        }
        let offset = told.offset.value(at: t)
        // A movement without a finger was sent already. Sending it again would cause another
        // request.
        guard movement.last.isFinger || offset != known else { return [] }
        var sample = movement.last
        sample.t = t
        sample.phase = movement.isFingerDown ? .dragging : .decelerating
        if !sample.isPan { sample.way = .offset(offset) }
        pace.note(offset, t: t)
        hear(offset)
        let entered = !sample.isPan && !movement.isInside
        let messages = tell(sample, at: offset, &movement, entered: entered)
        previous = offset
        self.movement = movement
        return messages
    }

    package func isMoved(at t: Double) -> Bool { told.offset.isMoving(at: t) }
}
