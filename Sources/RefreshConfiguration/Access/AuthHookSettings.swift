/// The service that authenticates clients, and how to call it. Source: docs/configuration.md,
/// "auth".
package struct AuthHookSettings: Hashable, Sendable {
    /// `http` or `https`.
    package var url: String
    /// Path of a PEM file with the trusted certificates; nil: the system's.
    package var ca: String?
    /// Limit for name resolution, connection, request and answer together, milliseconds, 1 to
    /// `authDeadlineMs`.
    package var deadlineMs: Int
    /// Concurrent requests, 1...10,000.
    package var calls: Int
    /// Lower-case names of the upgrade's headers that are forwarded.
    package var forward: [String]

    package static let standardDeadlineMs = 1000
    package static let standardCalls = 64
    package static let callsRange = 1...10_000
    /// The longest answer, in bytes.
    package static let answerBytesMax = 65_536

    package init(
        url: String, ca: String? = nil, deadlineMs: Int = standardDeadlineMs,
        calls: Int = standardCalls, forward: [String] = []
    ) {
        self.url = url
        self.ca = ca
        self.deadlineMs = deadlineMs
        self.calls = calls
        self.forward = forward
    }
}
