/// A session as its client is given it: a text that says nothing to anybody but daemons with the
/// same keys.
package struct SealedText: Hashable, Sendable {
    /// ASCII, without characters that JSON escapes.
    package var text: String
    /// Milliseconds from its making for which it can be used.
    package var expiresMs: Int

    package init(text: String, expiresMs: Int) {
        self.text = text
        self.expiresMs = expiresMs
    }
}
