/// What a message says about one edge's options.
package enum EdgeSetting: Hashable, Sendable {
    /// Nothing: they stay as they are.
    case unchanged
    /// `null`: the view has no such edge.
    case absent
    /// These are changed; each stands there once, in the order of the vocabulary. Which role the
    /// edge has, and whether they go with it, the view knows.
    case overrides([OptionSetting])
}
