/// The limits of a JSON text.
package struct JSONLimits: Hashable, Sendable {
    /// The maximum nesting of containers.
    package var depthMax: Int
    /// The maximum length of a string as encoded in the text, bytes.
    package var stringBytesMax: Int

    package init(depthMax: Int, stringBytesMax: Int) {
        self.depthMax = depthMax
        self.stringBytesMax = stringBytesMax
    }

    package init(_ limits: Limits) {
        self.init(depthMax: limits.jsonDepthMax, stringBytesMax: limits.stringBytesMax)
    }

    /// For the texts of the daemon itself: scenarios, configuration, tests.
    package static let generous = JSONLimits(depthMax: 64, stringBytesMax: .max)
}
