/// The sealed form of a session. The client keeps it, and only daemons with the same keys can read
/// it.
package struct SealedText: Hashable, Sendable {
    /// The text. It is ASCII without characters that JSON escapes.
    package var text: String
    /// For how many milliseconds the text can be used after it was sealed.
    package var expiresMs: Int

    package init(text: String, expiresMs: Int) {
        self.text = text
        self.expiresMs = expiresMs
    }
}
