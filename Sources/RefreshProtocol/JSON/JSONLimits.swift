/// The bounds of a JSON text.
package struct JSONLimits: Hashable, Sendable {
    /// Containers within containers.
    package var depthMax: Int
    /// Bytes of one string as it stands in the text.
    package var stringBytesMax: Int

    package init(depthMax: Int, stringBytesMax: Int) {
        self.depthMax = depthMax
        self.stringBytesMax = stringBytesMax
    }

    package init(_ limits: Limits) {
        self.init(depthMax: limits.jsonDepthMax, stringBytesMax: limits.stringBytesMax)
    }

    /// For texts of our own: scenarios, configuration, tests.
    package static let generous = JSONLimits(depthMax: 64, stringBytesMax: .max)
}
