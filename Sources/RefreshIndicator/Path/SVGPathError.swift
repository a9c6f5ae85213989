/// An error in path data, with its position and its reason. Either the syntax is wrong, or the path
/// exceeds a limit.
package struct SVGPathError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason of the error.
    package enum Reason: String, CaseIterable, Hashable, Sendable {
        case commandExpected = "expected a command letter"
        case unknownCommand = "this is not a command letter"
        case moveExpected = "a path must begin with a move (M or m)"
        case numberExpected = "expected a number"
        case flagExpected = "expected a flag (0 or 1)"
        /// The absolute value of a number, coordinate or radius exceeds
        /// `PathLimits.coordinateMax`.
        case numberOutOfRange = "this leads beyond 1000000000000 points"
        case tooManySegments = "the path has more than the 4096 segments that are allowed"
    }

    /// The number of Unicode scalars before the error.
    package var position: Int
    package var reason: Reason

    package init(position: Int, reason: Reason) {
        self.position = position
        self.reason = reason
    }

    package var description: String { "at character \(position): \(reason.rawValue)" }
}

/// The limits of a path. If a path exceeds `segmentsMax` or `coordinateMax`, its parser throws an
/// `SVGPathError`.
package enum PathLimits {
    /// The maximum number of segments of one path, including moves and closing edges.
    package static let segmentsMax = 4096
    /// The maximum absolute value of a coordinate or radius, in points. This value is far below the
    /// largest double. Therefore neither the computation of a length nor the scaling of a path into
    /// its frame (`SVGPath.fitted`) overflows.
    package static let coordinateMax = 1e12
    /// The maximum number of times that `SVGPath.smoothed` divides each segment into two halves. A
    /// larger number counts as this one.
    package static let smoothingMax = 6
}
