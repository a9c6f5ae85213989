internal import RefreshBroker
internal import RefreshProtocol

/// Builds pages from answers. The configuration determines the places of the fields in an answer.
struct HTTPPageReader: Sendable {
    private let mapping: AnswerMapping
    private let isNextInLink: Bool
    private let nextParameter: String?

    init(_ options: HTTPOptions) {
        var next: JSONPointer?
        isNextInLink = options.next == .link
        if case .pointer(let pointer) = options.next { next = pointer }
        nextParameter = options.nextParameter
        mapping = AnswerMapping(
            items: options.items, more: options.more, next: next, total: options.total,
            takingNext: !isNextInLink, takingNumbers: true,
            nextBytesMax: nextParameter == nil ? PageReader.cursorBytesMax : 65_536)
    }

    /// Returns the page, and whether the body itself specifies the page's lifetime.
    func page(
        of answer: HTTPAnswer
    ) throws(LoadFailure) -> (page: Page, specifiesLifetime: Bool) {
        guard answer.isSuccess else { throw answer.failure }
        var read: PageReader.Answer
        do throws(AnswerFault) {
            read = try PageReader.read(answer.body, by: mapping)
        } catch {
            throw LoadFailure(.backendAnswerMalformed, "The backend's answer is \(error.message).")
        }
        let specifiesLifetime = read.maxAgeMs != nil
        read.maxAgeMs = read.maxAgeMs ?? Self.lifetimeMs(of: answer)
        read.next = try nextPage(read, answer)
        return (read.page(in: answer.body), specifiesLifetime)
    }

    /// Returns the lifetime that the headers specify.
    static func lifetimeMs(of answer: HTTPAnswer) -> Int? {
        CacheControl.lifetimeMs(answer.fields.cacheControl, age: answer.fields.age)
    }

    private func nextPage(
        _ read: PageReader.Answer, _ answer: HTTPAnswer
    ) throws(LoadFailure) -> PageReader.Next {
        var next = read.next
        if isNextInLink {
            next = LinkHeader.next(in: answer.fields.links).map { .cursor($0) } ?? .none
        }
        guard case .cursor(let text) = next else { return next }
        var cursor = text
        if let nextParameter {
            guard let value = QueryValue.named(nextParameter, in: text) else {
                throw LoadFailure(
                    .backendAnswerMalformed, "The URL of the next page has no `nextParameter`.")
            }
            cursor = value
        }
        guard cursor.utf8.count <= PageReader.cursorBytesMax else {
            throw LoadFailure(.backendAnswerMalformed, "The next cursor is too long.")
        }
        return cursor.isEmpty ? .none : .cursor(cursor)
    }
}
