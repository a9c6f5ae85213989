internal import RefreshProtocol

/// What came back of one HTTP call that reached a server: the only input of the mapping to pages.
struct HTTPAnswer: Hashable, Sendable {
    var status: Int
    /// Unpacked; empty unless the status is 2xx.
    var body: [UInt8] = []
    var fields = ResponseFields()
    /// From `Retry-After`, seconds or a date; nil where the header is absent or past.
    var retryAfterSeconds: Int?
    /// Where a 3xx leads, absolute; nil where it leads nowhere.
    var redirect: String?

    /// Nobody is told to wait longer than a day.
    private static let retryAfterSecondsMax = 86_400

    var isSuccess: Bool { 200..<300 ~= status }

    /// Where it asks to go on, if it is of a status that does.
    var redirectTarget: String? {
        [301, 302, 303, 307, 308].contains(status) ? redirect : nil
    }

    /// Why there is no page; of a status that is no success. Source: docs/backends.md, "What a
    /// status means".
    var failure: LoadFailure {
        switch status {
        case 408: temporary(.backendTimedOut)
        case 425, 429: temporary(.backendBusy)
        case 503: temporary(.backendUnavailable)
        case 500...: LoadFailure(.backendFailed, message)
        // 4xx; also 3xx that was not followed, and whatever is no status of HTTP.
        default: LoadFailure(.backendRejected, message)
        }
    }

    private var message: String { "The backend answered \(status)." }

    /// By the server's own word, which may say how long.
    private func temporary(_ code: FaultCode) -> LoadFailure {
        let seconds = retryAfterSeconds.map { min($0, Self.retryAfterSecondsMax) }
        return LoadFailure(code, message, retryAfterMs: seconds.map { $0 * 1000 })
    }
}
