/// What made something happen. Source: docs/protocol.md, "scroll" and "update".
package enum Cause: String, CaseIterable, WireNamed, Sendable, Codable {
    case finger
    case wheel
    case key
    case accessibility
    /// The program, not the user.
    case code
    /// A `retry` message.
    case retry
    /// A page too short for the viewport asked for the next one.
    case fill
    /// The view appeared, and what it shows is too old.
    case stale
    /// The feed has newer data.
    case changed
    /// `begin`: the indicator without the action.
    case visual

    /// Whether the program moved the list, and no user.
    @inline(__always)
    package var isProgram: Bool {
        if case .code = self { true } else { false }
    }

    /// Whether a client may name it as the cause of its input or request.
    package var mayBeSent: Bool {
        switch self {
        case .finger, .wheel, .key, .accessibility, .code: true
        case .retry, .fill, .stale, .changed, .visual: false
        }
    }

    /// The intent that stands behind a list which it moves, with a finger on it or without; nil if
    /// none does.
    package func intent(isFingerDown: Bool) -> Intent? {
        switch self {
        case .finger: isFingerDown ? .finger : .fling
        case .wheel: .wheel
        case .key: .key
        case .accessibility: .accessibility
        case .code: .code
        case .retry: .retry
        case .fill, .stale, .changed, .visual: nil
        }
    }
}
