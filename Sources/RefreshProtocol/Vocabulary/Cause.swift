/// The cause of a movement or a request. Source: docs/protocol.md, "scroll" and "update".
public enum Cause: String, CaseIterable, WireNamed, Sendable, Codable {
    case finger
    case wheel
    case key
    case accessibility
    /// The app's own code, not the user.
    case code
    /// A `retry` message.
    case retry
    /// The content does not fill the viewport.
    case fill
    /// The content was too old when the view appeared.
    case stale
    /// The feed has newer data.
    case changed
    /// A poll was due.
    case poll
    /// A `begin` message, which shows the indicator without a load.
    case visual
    /// The view has a new query. Sent only to clients with features.
    case query
    /// The view gets its first items. Sent only to clients with features.
    case initial

    /// Whether the app's own code moved the list, not a user.
    @inline(__always)
    package var isProgram: Bool {
        if case .code = self { true } else { false }
    }

    /// Whether a client may name this cause for its input or request.
    package var mayBeSent: Bool {
        switch self {
        case .finger, .wheel, .key, .accessibility, .code: true
        case .retry, .fill, .stale, .changed, .poll, .visual, .query, .initial: false
        }
    }

    /// The cause that a client without features receives in place of this cause.
    package var withoutFeatures: Cause {
        switch self {
        case .poll, .query, .initial: .code
        case .finger, .wheel, .key, .accessibility, .code, .retry, .fill, .stale, .changed,
            .visual:
            self
        }
    }

    /// The intent that a movement with this cause expresses; nil if the movement expresses no
    /// intent. `isFingerDown`: whether a finger is on the list.
    package func intent(isFingerDown: Bool) -> Intent? {
        switch self {
        case .finger: isFingerDown ? .finger : .fling
        case .wheel: .wheel
        case .key: .key
        case .accessibility: .accessibility
        case .code: .code
        case .retry: .retry
        case .fill, .stale, .changed, .poll, .visual, .query, .initial: nil
        }
    }
}
