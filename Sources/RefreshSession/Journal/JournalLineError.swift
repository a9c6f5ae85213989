/// Why a text is not a valid line of a journal.
package struct JournalLineError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem with the line. In a message, it follows the line's number.
    package let description: String

    package init(_ description: String) { self.description = description }
}
