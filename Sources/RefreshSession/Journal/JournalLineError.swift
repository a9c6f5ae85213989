/// Why a text is not a valid line of a journal.
package struct JournalLineError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem with the line, to follow its number in a message.
    package let description: String

    package init(_ description: String) { self.description = description }
}
