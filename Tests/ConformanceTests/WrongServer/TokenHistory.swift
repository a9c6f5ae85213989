import Synchronization

/// The tokens of each session of a server that does not rotate tokens.
final class TokenHistory: Sendable {
    static let shared = TokenHistory()

    private let tokens = Mutex<[String: (first: String, latest: String)]>([:])

    /// Records `now` as the current token of the session. Returns the session's first token.
    func first(of session: String, now: String) -> String {
        tokens.withLock { tokens in
            let first = tokens[session]?.first ?? now
            tokens[session] = (first, now)
            return first
        }
    }

    /// Returns the current token of the session if `first` is its first token.
    func latest(of session: String, for first: String) -> String? {
        tokens.withLock { $0[session].flatMap { $0.first == first ? $0.latest : nil } }
    }
}
