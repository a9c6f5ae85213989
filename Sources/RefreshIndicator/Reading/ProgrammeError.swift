/// Why a text is no programme.
package struct ProgrammeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where: `layers[1].color`; empty for the whole.
    package var place: String
    /// A clause in plain words.
    package var reason: String

    package init(_ place: String, _ reason: String) {
        self.place = place
        self.reason = reason
    }

    package var description: String { place.isEmpty ? reason : "\(place): \(reason)" }
}
