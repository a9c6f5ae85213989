/// The reason why a received frame is not a message of the protocol.
package enum UnreadableFrame: String, Comparable, Hashable, Sendable, CustomStringConvertible {
    case binary
    case noMessage

    package var description: String {
        switch self {
        case .binary: "binary frames"
        case .noMessage: "text that is not a JSON message or batch"
        }
    }

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
