internal import WireContract

/// The checks of every message received, created once for all cases.
struct ConformanceChecks: Sendable {
    static let shared = ConformanceChecks()

    /// What the page requires.
    let open = MessageCheck(SchemaStyle(isClosed: false))
    /// What the page requires, and nothing that it does not name.
    let closed = MessageCheck(SchemaStyle(isClosed: true))
}
