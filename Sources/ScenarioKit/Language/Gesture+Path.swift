package import RefreshProtocol

extension Gesture {
    /// A path through points. Every segment takes the same time.
    package struct Path: Hashable, Sendable {
        /// The start. If it is nil, the path starts where the previous path ended.
        package var from: Amount?
        /// The points after the start. There is at least one point. With a recorded timing, there
        /// is exactly one.
        package var points: [Amount]
        package var durationMs: Double
        /// Samples per second; ignored for a recorded timing.
        package var rate: Double
        package var timing: Timing

        package init(
            from: Amount?, points: [Amount], durationMs: Double, rate: Double,
            timing: Timing = .eased(.linear)
        ) {
            self.from = from
            self.points = points
            self.durationMs = durationMs
            self.rate = rate
            self.timing = timing
        }

        /// The motion between the points.
        package enum Timing: Hashable, Sendable {
            /// An easing curve on each segment.
            case eased(Curve)
            /// The motion of a recorded finger.
            case recorded(RecordedTouch)
        }

        /// The position on the path at a time after the start of the motion.
        package struct Sample: Hashable, Sendable {
            package var afterMs: Double
            package var position: Double

            package init(afterMs: Double, position: Double) {
                self.afterMs = afterMs
                self.position = position
            }
        }

        /// The number of samples.
        package var sampleCount: Int {
            switch timing {
            case .eased:
                let count = (durationMs * rate / 1000).rounded()
                return count < Double(ScenarioBounds.samplesMax) + 1
                    ? max(1, Int(count)) : ScenarioBounds.samplesMax + 1
            case .recorded(let touch): return touch.samples.count
            }
        }

        /// Returns the samples after the start. The last sample is exactly at the end. If the path
        /// has no `from`, it starts at `start`.
        package func samples(
            startingAt start: Double, reading variables: [String: JSONValue] = [:]
        ) throws(Amount.NoNumber) -> [Sample] {
            var corners = [try from?.number(in: variables) ?? start]
            for point in points { corners.append(try point.number(in: variables)) }
            switch timing {
            case .eased(let curve):
                let count = sampleCount
                return (1...count).map { index in
                    let fraction = Double(index) / Double(count)
                    return Sample(
                        afterMs: Self.rounded(durationMs * fraction),
                        position: Self.rounded(
                            Self.position(on: corners, at: fraction, by: curve)))
                }
            case .recorded(let touch):
                let (first, last) = (corners[0], corners[1])
                return touch.samples.map { sample in
                    Sample(
                        afterMs: Self.rounded(durationMs * sample.time),
                        position: Self.rounded(first + (last - first) * sample.progress))
                }
            }
        }

        private static func position(
            on corners: [Double], at fraction: Double, by curve: Curve
        ) -> Double {
            let segments = corners.count - 1
            let travelled = fraction * Double(segments)
            let segment = min(segments - 1, Int(travelled))
            let share = curve.fraction(at: travelled - Double(segment))
            return corners[segment] + (corners[segment + 1] - corners[segment]) * share
        }

        private static func rounded(_ value: Double) -> Double {
            (value * 1000).rounded() / 1000
        }
    }
}
