/// The reason why a text is not a valid programme.
package struct ProgrammeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The place of the error, for example `layers[1].color`. It is empty if the error concerns the
    /// whole programme.
    package var location: String
    /// The reason, as a clause in plain words.
    package var reason: String
    /// The unknown word and the words that are valid in its place. Nil if the error has another
    /// reason.
    package var unknown: Unknown?

    /// An unknown word, which can be a spelling mistake.
    package struct Unknown: Hashable, Sendable {
        package var word: String
        package var known: [String]
    }

    package init(_ place: String, _ reason: String, unknown: Unknown? = nil) {
        self.location = place
        self.reason = reason
        self.unknown = unknown
    }

    package var description: String { location.isEmpty ? reason : "\(location): \(reason)" }
}
