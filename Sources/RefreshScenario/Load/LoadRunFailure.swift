/// Why nothing could be measured at all.
package struct LoadRunFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Who is to be loaded; nil: it is not for the target that it failed.
    package let url: String?
    package let reason: String

    package var description: String { url.map { "\($0): \(reason)" } ?? reason }
}
