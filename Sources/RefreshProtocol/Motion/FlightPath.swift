/// A flight as the wire tells it: where the list is at some moments, with straight lines between
/// them.
///
/// The moments lie closer where the flight bends more, so that the error is spread evenly: a
/// quarter of a point, or as little as `keysMax` keys allow. The first key is the beginning, the
/// last the rest.
package struct FlightPath: Sequence, IteratorProtocol {
    package struct Key: Hashable, Sendable {
        /// Milliseconds since the flight began, in hundredths.
        package var time: Double
        /// Points, in hundredths but for the last.
        package var offset: Double
    }

    package static let keysMax = 48
    /// Points.
    package static let error = 0.25
    /// Parts of a leg over which its bend is summed.
    private static let steps = 32

    private let course: Course
    /// What a line may span of the sum of the bends: the roots of the acceleration over time.
    private let span: Double
    private let lines: Int

    private var line = 0
    private var leg = 0
    private var step = 0
    private var sum = 0.0
    private var last = -1.0

    package init(_ flight: Flight) {
        let course = Course(flight)
        self.course = course
        var total = 0.0
        for leg in 0..<course.count {
            for step in 0..<Self.steps { total += Self.bend(course.legs[leg], step) }
        }
        // A line over h seconds misses a curve by at most h² / 8 times its acceleration.
        let wanted = (total / (8 * Self.error).squareRoot()).rounded(.up)
        lines = wanted < Double(Self.keysMax) ? Int(Swift.max(wanted, 1)) : Self.keysMax - 1
        span = total / Double(lines)
    }

    /// Where the list comes to rest, points.
    package var rest: Double { course.rest }

    /// Milliseconds, in hundredths: the time of the last key.
    package var duration: Double { course.duration.hundredths }

    package mutating func next() -> Key? {
        while line <= lines {
            defer { line += 1 }
            guard line < lines else { return Key(time: duration, offset: rest) }
            let time = line == 0 ? 0 : advance(to: span * Double(line)).hundredths
            // Two moments may fall into one hundredth of a millisecond.
            guard time > last, time < duration else { continue }
            last = time
            return Key(time: time, offset: course.offset(at: time).hundredths)
        }
        return nil
    }

    /// Goes on until the bends sum up to `goal`; the time at which they do.
    private mutating func advance(to goal: Double) -> Double {
        while leg < course.count {
            let current = course.legs[leg]
            let bend = Self.bend(current, step)
            let width = (current.end - current.begin) / Double(Self.steps)
            if sum + bend >= goal, bend > 0 {
                let part = (goal - sum) / bend
                return current.begin + width * (Double(step) + part)
            }
            sum += bend
            step += 1
            if step == Self.steps {
                step = 0
                leg += 1
            }
        }
        return course.duration
    }

    /// The root of the acceleration times the time of one step.
    private static func bend(_ leg: Leg, _ step: Int) -> Double {
        let width = (leg.end - leg.begin) / Double(steps)
        let middle = leg.begin + width * (Double(step) + 0.5)
        return leg.acceleration(at: middle).magnitude.squareRoot() * width / 1000
    }
}

extension Double {
    /// As the wire tells it: shorter than anyone sees.
    var hundredths: Double { (self * 100).rounded() / 100 }
}
