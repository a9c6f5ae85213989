internal import RefreshProtocol

/// What came back of one HTTP call that reached a server: the only input of the mapping to pages.
struct HTTPAnswer: Hashable, Sendable {
    var status: Int
    var body: [UInt8]
    /// From `Retry-After`, seconds or a date; nil where the header is absent or past.
    var retryAfterSeconds: Int?

    /// Nobody is told to wait longer than a day.
    private static let retryAfterSecondsMax = 86_400

    /// The page, or why there is none. Source: docs/backends.md, "What a status means".
    func page() throws(LoadFailure) -> Page {
        switch status {
        case 200..<300:
            return try pageOfBody()
        case 408:
            throw failure(.backendTimedOut)
        case 425, 429:
            throw failure(.backendBusy)
        case 503:
            throw failure(.backendUnavailable)
        case 500...:
            throw LoadFailure(.backendFailed, message)
        default:
            // 4xx; also 3xx that was not followed, and whatever is no status of HTTP.
            throw LoadFailure(.backendRejected, message)
        }
    }

    private var message: String { "The backend answered \(status)." }

    /// Temporary by the server's own word; it may say how long.
    private func failure(_ code: FaultCode) -> LoadFailure {
        let seconds = retryAfterSeconds.map { min($0, Self.retryAfterSecondsMax) }
        return LoadFailure(code, message, retryAfterMs: seconds.map { $0 * 1000 })
    }

    private func pageOfBody() throws(LoadFailure) -> Page {
        let answer: PageReader.Answer
        do throws(AnswerFault) {
            answer = try PageReader.read(body)
        } catch {
            throw LoadFailure(.backendAnswerMalformed, "The backend's answer is \(error.message).")
        }
        let isBare = answer.items == body.indices
        var page = Page(
            items: isBare ? body : Array(body[answer.items]), count: answer.count,
            more: answer.more, total: answer.total)
        switch answer.next {
        case .unsaid: break
        case .none: page.more = answer.more ?? false
        case .cursor(let cursor):
            page.cursor = cursor
            page.more = answer.more ?? true
        }
        return page
    }
}
