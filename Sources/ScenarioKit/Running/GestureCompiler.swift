internal import RefreshProtocol

/// Compiles a finger's motion on one view into a script: the samples, and the times at which they
/// are sent.
struct GestureCompiler {
    let view: String
    private(set) var finger: Finger
    /// The current time of the script.
    private(set) var moment: Instant
    private(set) var operations: [StepOperation] = []
    /// The values of variables.
    private let variables: [String: JSONValue]

    /// The interval at which a resting finger sends samples, in milliseconds.
    private static let restIntervalMs = 1000.0

    init(view: String, finger: Finger, at moment: Instant, reading variables: [String: JSONValue]) {
        self.view = view
        self.finger = finger
        self.moment = moment
        self.variables = variables
    }

    /// Adds a motion to the script.
    ///
    /// - Throws: if a finger changes its kind of gesture before it is lifted, or if a position is
    ///   not a number.
    mutating func addMotion(_ motion: Gesture.Motion) throws(StepFailure) {
        switch motion {
        case .drag where finger.isDown && finger.kind != .scroll,
            .pan where finger.isDown && finger.kind != .pan:
            throw StepFailure(
                expected: "one kind of gesture until the release", came: "another kind")
        default: break
        }
        do throws(Amount.NoNumber) {
            try compile(motion)
        } catch {
            throw StepFailure(expected: "a number", came: "\(error)")
        }
    }

    /// Adds a pause, in which the finger or the list does not move.
    mutating func addPause(_ durationMs: Double) {
        moment = moment.advanced(byMilliseconds: durationMs)
        operations.append(.wait(until: moment))
    }

    private mutating func compile(_ motion: Gesture.Motion) throws(Amount.NoNumber) {
        switch motion {
        case .drag(let path): try addMovement(along: path, as: .scroll)
        case .pan(let path): try addMovement(along: path, as: .pan)
        case .hold(let durationMs): addHold(for: durationMs)
        case .release(let velocity):
            let velocity = try velocity?.number(in: variables)
            addLift(.ended, velocity.map { Pattern.Field("velocity", .value(.number($0))) })
        case .interrupt: addLift(.cancelled, nil)
        case .glide(let path, let cause): try addGlide(along: path, cause: cause)
        case .settle(let offset):
            if let offset { finger.position = try offset.number(in: variables) }
            addSample(.idle)
        }
    }

    private mutating func addMovement(
        along path: Gesture.Path, as kind: Finger.Kind
    ) throws(Amount.NoNumber) {
        let begins = !finger.isDown
        // A translation is relative to the point where the finger went down.
        let start =
            try path.from?.number(in: variables) ?? (begins && kind == .pan ? 0 : finger.position)
        finger = Finger(kind: kind, position: start, isDown: true)
        if begins || path.from != nil { addSample(begins ? .began : .dragging) }
        try addPathSamples(path, .dragging, nil)
    }

    private mutating func addGlide(
        along path: Gesture.Path, cause: String?
    ) throws(Amount.NoNumber) {
        let extra = cause.map { Pattern.Field("cause", .text($0)) }
        finger.kind = .scroll
        if let from = path.from {
            finger.position = try from.number(in: variables)
            addSample(.decelerating, extra)
        }
        try addPathSamples(path, .decelerating, extra)
    }

    private mutating func addPathSamples(
        _ path: Gesture.Path, _ phase: ScrollPhase, _ extra: Pattern.Field?
    ) throws(Amount.NoNumber) {
        let start = moment
        for point in try path.samples(startingAt: finger.position, reading: variables) {
            addWait(until: start.advanced(byMilliseconds: point.afterMs))
            finger.position = point.position
            addSample(phase, extra)
        }
    }

    private mutating func addHold(for durationMs: Double) {
        let start = moment
        var elapsed = 0.0
        while elapsed < durationMs {
            elapsed = min(durationMs, elapsed + Self.restIntervalMs)
            addWait(until: start.advanced(byMilliseconds: elapsed))
            addSample(.dragging)
        }
    }

    private mutating func addLift(_ phase: ScrollPhase, _ extra: Pattern.Field?) {
        addSample(phase, extra)
        finger.isDown = false
    }

    private mutating func addWait(until moment: Instant) {
        self.moment = moment
        operations.append(.wait(until: moment))
    }

    private mutating func addSample(_ phase: ScrollPhase, _ extra: Pattern.Field? = nil) {
        operations.append(
            .sample(
                FingerSample(
                    view: view, kind: finger.kind, position: finger.position, phase: phase,
                    extra: extra)))
    }
}
