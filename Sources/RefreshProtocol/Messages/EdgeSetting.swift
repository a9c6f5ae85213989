/// The part of a message that concerns one edge's options.
package enum EdgeSetting: Hashable, Sendable {
    /// The options stay as they are.
    case unchanged
    /// `null`: the view has no such edge.
    case absent
    /// The changed options, each at most once, in the order of the vocabulary. The view knows the
    /// edge's role and whether the options apply to it.
    case overrides([OptionSetting])
}
