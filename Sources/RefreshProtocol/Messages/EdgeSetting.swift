/// What a message says about one edge's options.
package enum EdgeSetting: Hashable, Sendable {
    /// Nothing: the profile's values.
    case unchanged
    /// `null`: the view has no such edge.
    case absent
    case overrides(EdgeOverrides)
}
