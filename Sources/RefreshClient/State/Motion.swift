public import RefreshProtocol

/// A value that moves over time: a content offset, or the daemon's share of an inset, in points.
/// Source: docs/protocol.md, "Commands and timelines".
///
/// Times are milliseconds of the client's clock, whose origin is the creation of the client. An
/// adapter can animate from the current value to `target` in `duration`, or ask for `value(at:)` in
/// each frame.
public struct Motion: Hashable, Sendable {
    /// A position on the way.
    public struct Key: Hashable, Sendable {
        /// Milliseconds after the start.
        public var time: Double
        /// Points.
        public var value: Double

        /// Creates a key.
        public init(time: Double, value: Double) {
            self.time = time
            self.value = value
        }
    }

    /// The value at the end, in points.
    public var target: Double
    /// The value at the start, in points.
    public var origin: Double
    /// The time at which the motion starts, in milliseconds.
    public var start: Double
    /// The duration in milliseconds, at least 0. If it is 0, the value is `target` at once.
    public var duration: Double
    /// The easing of a motion without a path.
    public var curve: Curve
    /// The positions on the way, in the order of their times. If it is not empty, the value moves
    /// along straight lines between the keys, and `curve` has no effect.
    public var path: [Key]

    /// A value that does not move.
    public init(at value: Double) {
        self.init(from: value, to: value, start: 0, duration: 0)
    }

    /// Creates a motion.
    public init(
        from origin: Double, to target: Double, start: Double, duration: Double,
        curve: Curve = .easeInOut, path: [Key] = []
    ) {
        self.origin = origin
        self.target = target
        self.start = start
        self.duration = max(duration, 0)
        self.curve = curve
        self.path = path
    }

    /// The value at a time in milliseconds.
    public func value(at time: Double) -> Double {
        let passed = time - start
        guard passed < duration else { return target }
        guard passed > 0 else { return path.first?.value ?? origin }
        guard let next = path.firstIndex(where: { $0.time > passed }), next > 0 else {
            return origin + (target - origin) * curve.fraction(at: passed / duration)
        }
        let (before, after) = (path[next - 1], path[next])
        let part = (passed - before.time) / (after.time - before.time)
        return before.value + (after.value - before.value) * part
    }

    /// Whether the value still moves at a time in milliseconds.
    public func isMoving(at time: Double) -> Bool { time < start + duration }

    /// This motion, if the value is at `value` at the time `now`. A difference to the present value
    /// of this motion disappears within the milliseconds of `blend`, so that the value never jumps.
    func continued(from value: Double, at now: Double, blend: Double) -> Motion {
        let difference = value - self.value(at: now)
        guard difference != 0 else { return self }
        let end = max(start + duration, now + blend)
        guard isMoving(at: now) else {
            return Motion(
                from: value, to: target, start: now, duration: end - now, curve: .easeOut)
        }
        let times = stride(from: 0, through: end - now, by: 1000 / 60) + [end - now]
        let keys = times.map { time in
            let rest = difference * (1 - Curve.easeOut.fraction(at: time / blend))
            return Key(time: time, value: self.value(at: now + time) + rest)
        }
        return Motion(
            from: value, to: target, start: now, duration: end - now, curve: .linear, path: keys)
    }
}
