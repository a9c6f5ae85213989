internal import RefreshBroker
internal import RefreshProtocol

extension PageReader.Answer {
    /// Returns the page of this answer. `bytes` are the bytes from which the answer was parsed.
    func page(in bytes: [UInt8]) -> Page {
        let isBare = items == bytes.indices
        var page = Page(
            items: isBare ? bytes : Array(bytes[items]), count: count, more: more, total: total,
            lifetimeMs: maxAgeMs)
        switch next {
        case .absent: break
        case .none: page.more = more ?? false
        case .cursor(let cursor):
            page.cursor = cursor
            page.more = more ?? true
        }
        return page
    }
}

extension Page {
    /// Parses a backend's answer. Source: docs/backends.md, "What an answer looks like".
    init(answer bytes: [UInt8]) throws(LoadFailure) {
        do throws(AnswerFault) {
            self = try PageReader.read(bytes).page(in: bytes)
        } catch {
            throw LoadFailure(.backendAnswerMalformed, "The backend's answer is \(error.message).")
        }
    }
}
