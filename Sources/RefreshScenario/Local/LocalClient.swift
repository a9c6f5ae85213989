package import RefreshProtocol

/// A client that paints each frame by the control law and says only what changes something.
package struct LocalClient: ThinClient {
    var told = ToldView()
    var writer: SampleWriter
    let silenceMs: Double
    let isRightToLeft: Bool
    /// What moves, or has moved, the list; nil: it rests.
    var movement: Movement?
    /// Where the list rests that nobody moves, as far as samples said.
    var restsAt: Double
    /// Where the daemon knows it.
    var known: Double
    /// Whether the list went towards its end when the daemon last heard that it has moved.
    var knownTowardsEnd = false
    /// Where the list was in the frame before, where before it moved last, and whether that led to
    /// its end.
    var previous: Double
    var turn: Double
    var towardsEnd = false
    /// Whether a finger came down where the list was in the frame before, and the daemon has not
    /// heard.
    var isWhereItWas = false
    var pace = PaceMeter()
    /// The state of the refresh edge that is shown without having been told, and by which message.
    var predicted: (prediction: Prediction, seq: Int)?
    /// The last message that the daemon answers by saying where the finger has the list.
    private var panSeq = 0

    /// One finger, from touch to rest; or a wheel, keys, the program.
    struct Movement {
        var last: HandSample
        var isFingerDown: Bool
        /// Where the finger came down.
        var origin: Double
        /// The same, of a list that a command moved: the daemon knows it only by that.
        var caughtAt: Double?
        /// Where it was lifted, if that was not told.
        var lifted: HandSample?
        /// When anything of it was sent last.
        var toldAt: Double?
        /// When the daemon would have heard of it last from a client that tells every frame.
        var heardAt = 0.0
        /// Whether the frame before was of interest.
        var isInside = false
        /// Of a finger of `pan`: how it holds the list; nil: the daemon says.
        var hold: Hold?
        var isCancelled = false
    }

    /// `seq`: the last number that the session has used; `offset`: where the list begins.
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
            // Beyond the old range it is shown a little beside where it is.
            let isExact = to != nil && !isEcho || rest.contains(told.offset.value(at: t))
            holdAnew(at: t, isExact: isExact)
        }
    }

    package mutating func move(_ sample: HandSample) -> [JSONValue] {
        // A list that moves, as the daemon knows, is caught.
        let isMovedByCommand = isMoved(at: sample.t)
        let wasMoved = isMovedByCommand || self.movement?.toldAt != nil
        var movement = self.movement ?? Movement(last: sample, isFingerDown: false, origin: known)
        // What begins where nothing moved, begins where the daemon listened, or did not.
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

    /// A sample that the daemon would have heard from a client that tells every frame.
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

    /// The list is at `offset` in this frame.
    private mutating func hear(_ offset: Double) {
        guard offset != previous else { return }
        (turn, towardsEnd) = (previous, leads(from: previous, to: offset))
    }

    /// Nothing has moved the list yet.
    mutating func begin(at offset: Double) {
        (turn, previous, towardsEnd) = (offset, offset, false)
    }

    /// Writes the sample with what the client shows from then on.
    mutating func write(
        _ sample: HandSample, phase: ScrollPhase? = nil, at offset: Double,
        with extra: [(String, Double?)] = [], _ movement: inout Movement
    ) -> JSONValue {
        var extra = extra
        let written = phase ?? sample.phase
        // Where the daemon moves the list it knows how fast.
        let isHeld = !sample.isPan || movement.hold != nil
        let moves = written == .dragging || written == .decelerating || written == .began
        let isNow = sample.phase != .ended && sample.phase != .cancelled
        // A list that is pulled asks for nothing at its end.
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

    /// Whether an edge may ask by the speed of the list.
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
        // What is answered is where the finger has the list, unless its sizes change.
        if before.last?["type"]?.string == "pan", message["type"]?.string != "geometry" {
            panSeq = writer.seq
        }
        return before + [said]
    }

    /// What the daemon was not told of where the list is and what holds it.
    private mutating func present(at t: Double) -> [JSONValue] {
        guard var movement else {
            guard restsAt != known, !isMoved(at: t) else { return [] }
            known = restsAt
            return [writer.sample(HandSample(t: t, .offset(restsAt), phase: .idle))]
        }
        let offset = told.offset.value(at: t)
        // Of what no finger moves all is told already, and once more would ask once more.
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
