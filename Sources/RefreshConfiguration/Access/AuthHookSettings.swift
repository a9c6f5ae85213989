/// The service that authenticates clients, and how to call it. Source: docs/configuration.md,
/// "auth".
package struct AuthHookSettings: Hashable, Sendable {
    /// `http` or `https`.
    package var url: String
    /// The path of a PEM file with the trusted certificates; nil means those of the system.
    package var ca: String?
    /// The time limit for name resolution, connection, request and answer together, in
    /// milliseconds, from 1 to `authDeadlineMs`.
    package var deadlineMs: Int
    /// The maximum number of concurrent requests, 1...10,000.
    package var calls: Int
    /// The lower-case names of the headers that are forwarded from the upgrade request.
    package var forward: [String]

    package static let standardDeadlineMs = 1000
    package static let standardCalls = 64
    package static let callsRange = 1...10_000
    /// The maximum size of an answer, in bytes.
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
