/// Why a text is no line of a journal, or not any more.
package struct JournalLineError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the line, to stand behind its number.
    package let description: String

    package init(_ description: String) { self.description = description }
}
