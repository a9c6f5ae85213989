/// The reason why a file cannot be replayed at all.
package struct JournalUnusable: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
