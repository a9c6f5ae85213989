internal import RefreshBroker
internal import RefreshProtocol

/// A server's response to one HTTP call, with the parts that are needed to build a page.
struct HTTPAnswer: Hashable, Sendable {
    var status: Int
    /// The decompressed body; empty unless the status is 2xx.
    var body: [UInt8] = []
    var fields = ResponseFields()
    /// The value of `Retry-After` in seconds, even if it was sent as a date. Nil if the header is
    /// absent, or if its date is in the past.
    var retryAfterSeconds: Int?
    /// The target of an answer with a status 3xx, as an absolute URL; nil if the answer has no
    /// target.
    var redirect: String?

    /// The longest pause that is forwarded to clients: one day, in seconds.
    private static let retryAfterSecondsMax = 86_400

    var isSuccess: Bool { 200..<300 ~= status }

    /// The value of `redirect` if the status is one of those that `HTTPBackend` may follow;
    /// otherwise nil.
    var redirectTarget: String? {
        [301, 302, 303, 307, 308].contains(status) ? redirect : nil
    }

    /// The failure for a status that is not a success. Source: docs/backends.md, "What a status
    /// means".
    var failure: LoadFailure {
        switch status {
        case 408: temporary(.backendTimedOut)
        case 425, 429: temporary(.backendBusy)
        case 503: temporary(.backendUnavailable)
        case 500...: LoadFailure(.backendFailed, message)
        // The status is 4xx, a 3xx that was not followed, or not a valid HTTP status.
        default: LoadFailure(.backendRejected, message)
        }
    }

    private var message: String { "The backend answered \(status)." }

    /// Returns a temporary failure, with the server's pause if it specified one.
    private func temporary(_ code: FaultCode) -> LoadFailure {
        let seconds = retryAfterSeconds.map { min($0, Self.retryAfterSecondsMax) }
        return LoadFailure(code, message, retryAfterMs: seconds.map { $0 * 1000 })
    }
}
