/// What a finger, or inertia, does to a view.
package struct Gesture: Hashable, Sendable {
    package var view: String
    package var motion: Motion

    package init(view: String, motion: Motion) {
        self.view = view
        self.motion = motion
    }

    /// How it moves.
    package enum Motion: Hashable, Sendable {
        /// The finger moves the content's offset along the path.
        case drag(Path)
        /// The finger travels along the path; the daemon owns the physics.
        case pan(Path)
        /// The finger rests for milliseconds.
        case hold(Double)
        /// The finger is lifted, with a velocity in points per second where one is reported.
        case release(velocity: Double?)
        /// The system takes the gesture away.
        case interrupt
        /// The list moves without a finger; nil: the cause is not told.
        case glide(Path, cause: String?)
        /// The list comes to rest, at an offset if one is given.
        case settle(Double?)
    }

    /// Straight lines from point to point, in equal shares of the time.
    package struct Path: Hashable, Sendable {
        /// Nil: from where the last path ended.
        package var from: Double?
        /// At least one.
        package var points: [Double]
        package var durationMs: Double
        /// Samples per second.
        package var rate: Double

        package init(from: Double?, points: [Double], durationMs: Double, rate: Double) {
            self.from = from
            self.points = points
            self.durationMs = durationMs
            self.rate = rate
        }

        /// Where the path is at a moment after its start.
        package struct Sample: Hashable, Sendable {
            package var afterMs: Double
            package var position: Double

            package init(afterMs: Double, position: Double) {
                self.afterMs = afterMs
                self.position = position
            }
        }

        /// Equally spaced samples after the start, the last one exactly at the end. `start` is where
        /// a path without `from` begins.
        package func samples(startingAt start: Double) -> [Sample] {
            let corners = [from ?? start] + points
            let count = max(1, Int((durationMs * rate / 1000).rounded()))
            return (1...count).map { index in
                let fraction = Double(index) / Double(count)
                return Sample(
                    afterMs: Self.rounded(durationMs * fraction),
                    position: Self.rounded(Self.position(on: corners, at: fraction)))
            }
        }

        private static func position(on corners: [Double], at fraction: Double) -> Double {
            let legs = corners.count - 1
            let travelled = fraction * Double(legs)
            let leg = min(legs - 1, Int(travelled))
            let share = travelled - Double(leg)
            return corners[leg] + (corners[leg + 1] - corners[leg]) * share
        }

        private static func rounded(_ value: Double) -> Double {
            (value * 1000).rounded() / 1000
        }
    }
}
