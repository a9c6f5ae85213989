package import RefreshProtocol

extension PanOptions {
    /// Every option, in the order of docs/protocol.md.
    package static let entries: [OptionEntry<PanOptions>] = [
        .keyword(.damping, \.damping),
        .length(.maximumPull, orNil: \.maximumPull),
        .keyword(.deceleration, \.rate),
    ]

    /// Applies a client's options of the physics.
    ///
    /// - Throws: `invalidOption` with the option's field; a partially changed value must be
    ///   discarded.
    package mutating func apply(_ settings: [OptionSetting]) throws(Fault) {
        try settings.apply(to: &self, by: Self.entries)
    }
}
