/// What every message that comes is held to, made once for all cases.
struct ConformanceChecks: Sendable {
    static let shared = ConformanceChecks()

    /// What the page demands.
    let open = MessageCheck(SchemaStyle(isClosed: false))
    /// The same, and nothing that the page does not name.
    let closed = MessageCheck(SchemaStyle(isClosed: true))
}
