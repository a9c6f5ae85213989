internal import RefreshProtocol

/// A number that is animated by timelines. Source: docs/protocol.md, "Commands and timelines".
package struct AnimatedValue {
    private var start = 0.0
    private var animation = Animation.constant(0)
    /// The difference between the shown value and the animated value at the time `start`. It fades
    /// to zero.
    private var fade: (rest: Double, start: Double, duration: Double)?

    private enum Animation {
        case constant(Double)
        case curve(from: Double, to: Double, duration: Double, Curve)
        case path([(time: Double, value: Double)])
    }

    init(_ value: Double) { animation = .constant(value) }

    /// The value at the end of the animation.
    var target: Double {
        switch animation {
        case .constant(let value): value
        case .curve(_, let to, _, _): to
        case .path(let keys): keys.last?.value ?? 0
        }
    }

    package mutating func set(_ value: Double) {
        animation = .constant(value)
        fade = nil
    }

    /// Animates from the value at `t` to `to`, by the timeline of a command.
    mutating func animate(_ command: JSONValue, to: Double, at t: Double) {
        let now = value(at: t)
        start = t
        let duration = command["duration"]?.number ?? 0
        if let path = command["path"]?.array {
            animation = .path(
                path.compactMap { key in
                    guard let pair = key.array, pair.count == 2, let time = pair[0].number,
                        let value = pair[1].number
                    else { return nil }
                    return (time, value)
                })
        } else if duration > 0 {
            let curve = command["curve"]?.string.flatMap(Curve.init) ?? .linear
            animation = .curve(from: now, to: to, duration: duration, curve)
        } else {
            animation = .constant(to)
        }
        fade = nil
    }

    /// Fades from `shown`, the value shown until `t`, to the value of the animation, within
    /// `duration` milliseconds.
    mutating func blend(from shown: Double, at t: Double, duration: Double) {
        fade = (shown - value(at: t), t, duration)
    }

    package func isMoving(at t: Double) -> Bool {
        switch animation {
        case .constant: false
        case .curve(_, _, let duration, _): t < start + duration
        case .path(let keys): t < start + (keys.last?.time ?? 0)
        }
    }

    package func value(at t: Double) -> Double {
        guard let fade, t < fade.start + fade.duration else { return unblendedValue(at: t) }
        return unblendedValue(at: t) + fade.rest * (1 - (t - fade.start) / fade.duration)
    }

    private func unblendedValue(at t: Double) -> Double {
        switch animation {
        case .constant(let value): return value
        case .curve(let from, let to, let duration, let curve):
            guard t < start + duration else { return to }
            return from + (to - from) * curve.fraction(at: (t - start) / duration)
        case .path(let keys):
            guard let next = keys.firstIndex(where: { $0.time > t - start }) else { return target }
            guard next > 0 else { return keys[0].value }
            let (a, b) = (keys[next - 1], keys[next])
            return a.value + (b.value - a.value) * (t - start - a.time) / (b.time - a.time)
        }
    }
}
