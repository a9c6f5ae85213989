import Synchronization

/// What a server that does not rotate tokens gives out and takes, by session.
final class TokenBook: Sendable {
    static let shared = TokenBook()

    private let tokens = Mutex<[String: (first: String, latest: String)]>([:])

    /// The token that the session had first; `now`: what it has now.
    func first(of session: String, now: String) -> String {
        tokens.withLock { tokens in
            let first = tokens[session]?.first ?? now
            tokens[session] = (first, now)
            return first
        }
    }

    /// The token that the session has now, for whoever has its first one.
    func latest(of session: String, for first: String) -> String? {
        tokens.withLock { $0[session].flatMap { $0.first == first ? $0.latest : nil } }
    }
}
