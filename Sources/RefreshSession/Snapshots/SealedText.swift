/// The sealed form of a session that its client keeps. Only daemons with the same keys can read it.
package struct SealedText: Hashable, Sendable {
    /// ASCII, without characters that JSON escapes.
    package var text: String
    /// How long it can be used after it was sealed, milliseconds.
    package var expiresMs: Int

    package init(text: String, expiresMs: Int) {
        self.text = text
        self.expiresMs = expiresMs
    }
}
