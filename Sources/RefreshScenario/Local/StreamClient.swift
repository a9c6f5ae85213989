package import RefreshProtocol

/// A client that sends each frame of interest and shows what it receives.
package struct StreamClient: ThinClient {
    private var told = ToldView()
    private var writer: SampleWriter
    private let silenceMs: Double
    /// The current movement of the list; nil if it rests.
    private var movement: Movement?
    /// The offset at which the list rests without a command, by the samples.
    private var restsAt = 0.0
    /// The last offset that the daemon knows.
    private var known = 0.0

    private struct Movement {
        var last: HandSample
        var isFingerDown: Bool
        /// When the last sample of the movement was sent; nil if none was.
        var toldAt: Double?
        var isInside = false
    }

    /// Creates a client. `seq` is the last sequence number of the session. `offset` is the initial
    /// offset of the list.
    package init(view: String, after seq: Int, offset: Double, silenceMs: Double) {
        writer = SampleWriter(view: view, after: seq)
        self.silenceMs = silenceMs
        restsAt = offset
        known = offset
        told.offset.set(offset)
    }

    package mutating func receive(_ message: JSONValue, at t: Double) {
        switch message["type"]?.string {
        case "attached": told.attach(message)
        case "update":
            told.update(message, movesList: true, at: t)
            if let to = message["offset"]?["to"]?.number { (restsAt, known) = (to, to) }
        default: break
        }
    }

    package mutating func move(_ sample: HandSample) -> [JSONValue] {
        if case .offset(let offset) = sample.way { told.offset.set(offset) }
        var movement = self.movement ?? Movement(last: sample, isFingerDown: false)
        // A movement of a resting list starts where the daemon knows the list, inside or outside
        // interest.
        if self.movement == nil { movement.isInside = told.law.isOfInterest(known) }
        if sample.phase == .began {
            movement = Movement(last: sample, isFingerDown: true)
        } else if movement.toldAt == nil, sample.phase == .dragging {
            movement.isFingerDown = true
        }
        movement.last = sample
        let messages = send(sample, &movement)
        switch sample.phase {
        case .ended, .cancelled: movement.isFingerDown = false
        case .began, .dragging, .decelerating, .idle: break
        }
        if case .offset(let offset) = sample.way { restsAt = offset }
        let isOver = sample.phase == .idle || (sample.isPan && !movement.isFingerDown)
        self.movement = isOver ? nil : movement
        return messages
    }

    private mutating func send(_ sample: HandSample, _ movement: inout Movement) -> [JSONValue] {
        guard case .offset(let offset) = sample.way else {
            // The daemon moves the list, so it needs every sample.
            movement.toldAt = sample.t
            return [panSample(sample)]
        }
        let wasInside = movement.isInside
        movement.isInside = told.law.isOfInterest(offset)
        switch sample.phase {
        case .ended, .cancelled, .idle:
            guard movement.toldAt != nil else { return [] }
        case .began: guard movement.isInside else { return [] }
        case .dragging, .decelerating:
            guard movement.isInside || wasInside else { return [] }
        }
        return tell(sample, offset, &movement)
    }

    private mutating func panSample(_ sample: HandSample) -> JSONValue {
        let shown = sample.phase == .began ? told.offset.value(at: sample.t) : nil
        return writer.sample(sample, with: [("offset", shown)])
    }

    /// Returns the sample, preceded by the start of its movement if that was not sent.
    private mutating func tell(
        _ sample: HandSample, _ offset: Double, _ movement: inout Movement
    ) -> [JSONValue] {
        known = offset
        let isNew = movement.toldAt.map { sample.t - $0 >= silenceMs } ?? true
        movement.toldAt = sample.t
        guard isNew, sample.isFinger else { return [writer.sample(sample)] }
        switch sample.phase {
        case .began, .ended, .cancelled, .idle: return [writer.sample(sample)]
        case .dragging: return [writer.sample(sample, phase: .began)]
        case .decelerating:
            return [.began, .ended, .decelerating].map { writer.sample(sample, phase: $0) }
        }
    }

    package mutating func tick(at t: Double) -> [JSONValue] {
        guard var movement, movement.isFingerDown, let toldAt = movement.toldAt,
            t - toldAt >= 2000,
            movement.last.isPan || told.law.isOfInterest(told.offset.value(at: t))
        else { return [] }
        movement.toldAt = t
        movement.last.t = t
        if !movement.last.isPan { movement.last.way = .offset(told.offset.value(at: t)) }
        self.movement = movement
        return [writer.sample(movement.last, phase: .dragging)]
    }

    package mutating func say(_ message: JSONValue, at t: Double) -> [JSONValue] {
        let before = present(at: t)
        return before + [writer.message(message)]
    }

    /// Returns the current sample of the list, if the daemon does not know it.
    private mutating func present(at t: Double) -> [JSONValue] {
        guard var movement else {
            guard restsAt != known, !told.offset.isMoving(at: t) else { return [] }
            known = restsAt
            return [writer.sample(HandSample(t: t, .offset(restsAt), phase: .idle))]
        }
        var sample = movement.last
        sample.t = t
        if !sample.isPan { sample.way = .offset(told.offset.value(at: t)) }
        guard case .offset(let offset) = sample.way else {
            self.movement?.toldAt = t
            return [writer.sample(sample, phase: .dragging)]
        }
        guard sample.isFinger || offset != known else { return [] }
        sample.phase = movement.isFingerDown ? .dragging : .decelerating
        let messages = tell(sample, offset, &movement)
        self.movement = movement
        return messages
    }

    package func isMoved(at t: Double) -> Bool { told.offset.isMoving(at: t) }

    package func picture(at t: Double) -> Picture {
        Picture(
            offset: told.offset.value(at: t), insets: told.shares(at: t),
            edges: told.edges.mapValues { Picture.Edge(state: $0.state, progress: $0.progress) },
            floor: told.floor)
    }
}

extension HandSample {
    /// Whether the daemon moves the list.
    var isPan: Bool {
        if case .travel = way { true } else { false }
    }
}
