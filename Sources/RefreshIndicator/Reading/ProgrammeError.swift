/// Why a text is no programme.
package struct ProgrammeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where: `layers[1].color`; empty for the whole.
    package var place: String
    /// A clause in plain words.
    package var reason: String
    /// The word that is not among those that are known there, if that is what is wrong.
    package var unknown: Unknown?

    /// A word that may be a slip of the pen.
    package struct Unknown: Hashable, Sendable {
        package var word: String
        package var known: [String]
    }

    package init(_ place: String, _ reason: String, unknown: Unknown? = nil) {
        self.place = place
        self.reason = reason
        self.unknown = unknown
    }

    package var description: String { place.isEmpty ? reason : "\(place): \(reason)" }
}
