internal import RefreshProtocol

/// Where the finger of a view is; after the release, where the list is.
struct Finger {
    enum Kind { case scroll, pan }

    var kind = Kind.scroll
    /// The offset, or the translation of a pan.
    var position = 0.0
    var isDown = false
}

extension ScenarioRun {
    /// A resting finger tells that it lives this often.
    private static let restMs = 1000.0

    /// Sends the samples of a gesture at their times.
    mutating func perform(_ gesture: Gesture) async throws(StepFailure) {
        let view = gesture.view
        switch gesture.motion {
        case .drag(let path): try await move(view, along: path, as: .scroll)
        case .pan(let path): try await move(view, along: path, as: .pan)
        case .hold(let duration): try await hold(view, for: duration)
        case .release(let velocity):
            try await lift(view, phase: .ended, extra: velocity.map { ("velocity", .number($0)) })
        case .interrupt: try await lift(view, phase: .cancelled, extra: nil)
        case .glide(let path, let cause): try await glide(view, along: path, cause: cause)
        case .settle(let offset):
            if let offset { fingers[view, default: Finger()].position = offset }
            try await sample(view, phase: .idle)
        }
    }

    private mutating func move(
        _ view: String, along path: Gesture.Path, as kind: Finger.Kind
    ) async throws(StepFailure) {
        var finger = fingers[view] ?? Finger()
        if finger.isDown, finger.kind != kind {
            throw StepFailure(
                expected: "one kind of gesture until the release", came: "another kind")
        }
        let begins = !finger.isDown
        // A translation counts from the point where the finger went down.
        let start = path.from ?? (begins && kind == .pan ? 0 : finger.position)
        finger.kind = kind
        finger.isDown = true
        finger.position = start
        fingers[view] = finger
        if begins || path.from != nil {
            try await sample(view, phase: begins ? .began : .dragging)
        }
        try await follow(path, of: view, phase: .dragging, extra: nil)
    }

    private mutating func glide(
        _ view: String, along path: Gesture.Path, cause: String?
    ) async throws(StepFailure) {
        let extra = cause.map { (name: "cause", value: JSONValue.string($0)) }
        fingers[view, default: Finger()].kind = .scroll
        if let from = path.from {
            fingers[view]?.position = from
            try await sample(view, phase: .decelerating, extra: extra)
        }
        try await follow(path, of: view, phase: .decelerating, extra: extra)
    }

    private mutating func follow(
        _ path: Gesture.Path, of view: String, phase: ScrollPhase,
        extra: (name: String, value: JSONValue)?
    ) async throws(StepFailure) {
        let start = now
        for point in path.samples(startingAt: fingers[view]?.position ?? 0) {
            try await pass(until: start.advanced(byMilliseconds: point.afterMs))
            fingers[view]?.position = point.position
            try await sample(view, phase: phase, extra: extra)
        }
    }

    private mutating func hold(
        _ view: String, for duration: Double
    ) async throws(StepFailure) {
        let start = now
        var elapsed = 0.0
        while elapsed < duration {
            elapsed = min(duration, elapsed + Self.restMs)
            try await pass(until: start.advanced(byMilliseconds: elapsed))
            try await sample(view, phase: .dragging)
        }
    }

    private mutating func lift(
        _ view: String, phase: ScrollPhase, extra: (name: String, value: JSONValue)?
    ) async throws(StepFailure) {
        try await sample(view, phase: phase, extra: extra)
        fingers[view]?.isDown = false
    }

    private mutating func sample(
        _ view: String, phase: ScrollPhase, extra: (name: String, value: JSONValue)? = nil
    ) async throws(StepFailure) {
        let finger = fingers[view] ?? Finger()
        let isPan = finger.kind == .pan
        let clock = (now.milliseconds * 1000).rounded() / 1000
        var fields = [
            Pattern.Field("type", .text(isPan ? "pan" : "scroll")),
            Pattern.Field("view", .text(view)),
            Pattern.Field("t", .value(.number(clock))),
            Pattern.Field(isPan ? "translation" : "offset", .value(.number(finger.position))),
            Pattern.Field("phase", .text(phase.rawValue)),
        ]
        if let extra { fields.append(Pattern.Field(extra.name, .value(extra.value))) }
        try await send([.object(fields)], asBatch: false)
    }
}
