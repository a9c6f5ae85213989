/// Which service is asked who a client is, and how. Source: docs/configuration.md, "auth".
package struct AuthHookSettings: Hashable, Sendable {
    /// `http` or `https`.
    package var url: String
    /// Path of a PEM file of the certificates to trust; nil: the system's.
    package var ca: String?
    /// Name, connection, question and answer together, milliseconds, 1 to `authDeadlineMs`.
    package var deadlineMs: Int
    /// Questions at one time, 1...10,000.
    package var calls: Int
    /// Lower-case names of the headers of the upgrade that are passed on.
    package var forward: [String]

    package static let standardDeadlineMs = 1000
    package static let standardCalls = 64
    package static let callsRange = 1...10_000
    /// Bytes of an answer.
    static let answerBytesMax = 65_536

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
