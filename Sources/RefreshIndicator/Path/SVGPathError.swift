/// A syntax error in path data: its position and reason.
package struct SVGPathError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason of the error.
    package enum Reason: String, CaseIterable, Hashable, Sendable {
        case commandExpected = "a command letter is expected here"
        case unknownCommand = "this is no command letter"
        case moveExpected = "a path begins with a move (M or m)"
        case numberExpected = "a number is expected here"
        case flagExpected = "a flag (0 or 1) is expected here"
        case numberOutOfRange = "this leads beyond a million million points"
        case tooManySegments = "the path has more segments than the 4096 that are allowed"
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
