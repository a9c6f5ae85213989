/// The reason why nothing could be measured at all.
package struct LoadRunFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The URL of the target; nil if the target is not the cause.
    package let url: String?
    package let reason: String

    package var description: String { url.map { "\($0): \(reason)" } ?? reason }
}
