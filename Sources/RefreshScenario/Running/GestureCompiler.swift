internal import RefreshProtocol

/// Compiles a finger's motion on one view into samples and the times at which they are sent.
struct GestureCompiler {
    let view: String
    private(set) var finger: Finger
    /// The current time of the script.
    private(set) var moment: Instant
    private(set) var deeds: [Deed] = []
    /// The values of variables.
    private let variables: [String: JSONValue]

    /// The interval at which a resting finger sends samples, in milliseconds.
    private static let restMs = 1000.0

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
    mutating func perform(_ motion: Gesture.Motion) throws(StepFailure) {
        switch motion {
        case .drag where finger.isDown && finger.kind != .scroll,
            .pan where finger.isDown && finger.kind != .pan:
            throw StepFailure(
                expected: "one kind of gesture until the release", came: "another kind")
        default: break
        }
        do throws(Amount.NoNumber) {
            try write(motion)
        } catch {
            throw StepFailure(expected: "a number", came: "\(error)")
        }
    }

    /// Waits while the finger or the list does not move.
    mutating func pause(_ durationMs: Double) {
        moment = moment.advanced(byMilliseconds: durationMs)
        deeds.append(.wait(until: moment))
    }

    private mutating func write(_ motion: Gesture.Motion) throws(Amount.NoNumber) {
        switch motion {
        case .drag(let path): try move(along: path, as: .scroll)
        case .pan(let path): try move(along: path, as: .pan)
        case .hold(let durationMs): hold(for: durationMs)
        case .release(let velocity):
            let velocity = try velocity?.number(in: variables)
            lift(.ended, velocity.map { Pattern.Field("velocity", .value(.number($0))) })
        case .interrupt: lift(.cancelled, nil)
        case .glide(let path, let cause): try glide(along: path, cause: cause)
        case .settle(let offset):
            if let offset { finger.position = try offset.number(in: variables) }
            sample(.idle)
        }
    }

    private mutating func move(
        along path: Gesture.Path, as kind: Finger.Kind
    ) throws(Amount.NoNumber) {
        let begins = !finger.isDown
        // A translation is relative to the point where the finger went down.
        let start =
            try path.from?.number(in: variables) ?? (begins && kind == .pan ? 0 : finger.position)
        finger = Finger(kind: kind, position: start, isDown: true)
        if begins || path.from != nil { sample(begins ? .began : .dragging) }
        try follow(path, .dragging, nil)
    }

    private mutating func glide(
        along path: Gesture.Path, cause: String?
    ) throws(Amount.NoNumber) {
        let extra = cause.map { Pattern.Field("cause", .text($0)) }
        finger.kind = .scroll
        if let from = path.from {
            finger.position = try from.number(in: variables)
            sample(.decelerating, extra)
        }
        try follow(path, .decelerating, extra)
    }

    private mutating func follow(
        _ path: Gesture.Path, _ phase: ScrollPhase, _ extra: Pattern.Field?
    ) throws(Amount.NoNumber) {
        let start = moment
        for point in try path.samples(startingAt: finger.position, reading: variables) {
            wait(until: start.advanced(byMilliseconds: point.afterMs))
            finger.position = point.position
            sample(phase, extra)
        }
    }

    private mutating func hold(for durationMs: Double) {
        let start = moment
        var elapsed = 0.0
        while elapsed < durationMs {
            elapsed = min(durationMs, elapsed + Self.restMs)
            wait(until: start.advanced(byMilliseconds: elapsed))
            sample(.dragging)
        }
    }

    private mutating func lift(_ phase: ScrollPhase, _ extra: Pattern.Field?) {
        sample(phase, extra)
        finger.isDown = false
    }

    private mutating func wait(until moment: Instant) {
        self.moment = moment
        deeds.append(.wait(until: moment))
    }

    private mutating func sample(_ phase: ScrollPhase, _ extra: Pattern.Field? = nil) {
        deeds.append(
            .sample(
                FingerSample(
                    view: view, kind: finger.kind, position: finger.position, phase: phase,
                    extra: extra)))
    }
}
