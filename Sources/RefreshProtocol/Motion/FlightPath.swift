/// A flight as encoded on the wire: the positions of the list at some moments (*keys*), with linear
/// interpolation.
///
/// The moments are closer together where the flight has more curvature, so that the error is
/// distributed evenly. The error is a quarter of a point. If so small an error needs more than
/// `keysMax` keys, the error is the smallest that `keysMax` keys allow. The first key is the
/// beginning of the flight, and the last key is its end.
package struct FlightPath: Sequence, IteratorProtocol {
    package struct Key: Hashable, Sendable {
        /// Milliseconds since the flight began, rounded to hundredths.
        package var time: Double
        /// Points, rounded to hundredths except for the last key.
        package var offset: Double
    }

    package static let keysMax = 48
    /// The target error, in points.
    package static let error = 0.25
    /// The number of steps of a segment over which its curvature is summed.
    private static let steps = 32

    private let trajectory: Trajectory
    /// The part of the summed curvature that one line (from one key to the next) may span. The
    /// curvature is the square root of the acceleration, integrated over time.
    private let span: Double
    private let lines: Int

    private var line = 0
    private var segmentIndex = 0
    private var step = 0
    private var sum = 0.0
    private var last = -1.0

    package init(_ flight: Flight) {
        let trajectory = Trajectory(flight)
        self.trajectory = trajectory
        var total = 0.0
        for segment in 0..<trajectory.count {
            for step in 0..<Self.steps {
                total += Self.curvature(trajectory.segments[segment], step)
            }
        }
        // A line over h seconds deviates from a curve by at most h² / 8 times the acceleration of
        // the curve.
        let neededLines = (total / (8 * Self.error).squareRoot()).rounded(.up)
        lines =
            neededLines < Double(Self.keysMax) ? Int(Swift.max(neededLines, 1)) : Self.keysMax - 1
        span = total / Double(lines)
    }

    /// The offset at which the list comes to rest, in points.
    package var rest: Double { trajectory.rest }

    /// The time of the last key in milliseconds, rounded to hundredths.
    package var duration: Double { trajectory.duration.hundredths }

    package mutating func next() -> Key? {
        while line <= lines {
            defer { line += 1 }
            guard line < lines else { return Key(time: duration, offset: rest) }
            let time = line == 0 ? 0 : advance(to: span * Double(line)).hundredths
            // Two moments can be rounded to the same hundredth of a millisecond.
            guard time > last, time < duration else { continue }
            last = time
            return Key(time: time, offset: trajectory.offset(at: time).hundredths)
        }
        return nil
    }

    /// Advances to the time at which the summed curvature reaches `goal`, and returns this time.
    private mutating func advance(to goal: Double) -> Double {
        while segmentIndex < trajectory.count {
            let current = trajectory.segments[segmentIndex]
            let bend = Self.curvature(current, step)
            let width = (current.end - current.begin) / Double(Self.steps)
            if sum + bend >= goal, bend > 0 {
                let part = (goal - sum) / bend
                return current.begin + width * (Double(step) + part)
            }
            sum += bend
            step += 1
            if step == Self.steps {
                step = 0
                segmentIndex += 1
            }
        }
        return trajectory.duration
    }

    /// The square root of the acceleration, multiplied by the duration of one step.
    private static func curvature(_ segment: MotionSegment, _ step: Int) -> Double {
        let width = (segment.end - segment.begin) / Double(steps)
        let middle = segment.begin + width * (Double(step) + 0.5)
        return segment.acceleration(at: middle).magnitude.squareRoot() * width / 1000
    }
}

extension Double {
    /// The value rounded to hundredths, as encoded on the wire. The rounding error is not visible
    /// on a screen.
    var hundredths: Double { (self * 100).rounded() / 100 }
}
