package import RefreshProtocol

/// The physics of a list that the engine moves. Source: docs/protocol.md, "Damping".
package struct PanOptions: Hashable, Sendable, Codable {
    /// The maximum distance of the list beyond an edge, in points, at least 0. If it is nil, the
    /// limit of the damping curve applies.
    package var maximumPull: Double? {
        get { sparsePull.value }
        set { sparsePull.value = newValue }
    }
    private var sparsePull = SparseLength()
    package var damping = DampingCurve.uiscrollview
    package var rate = DecelerationRate.normal

    package init() {}
}

extension PanOptions {
    /// Every option, in the order of docs/protocol.md.
    package static let entries: [OptionEntry<PanOptions>] = [
        .keyword(.damping, \.damping),
        .length(.maximumPull, orNil: \.maximumPull),
        .keyword(.deceleration, \.rate),
    ]

    /// Applies a client's options of the physics.
    ///
    /// - Throws: `invalidOption` with the option's field. The value can then be partially changed,
    /// and must be discarded.
    package mutating func apply(_ settings: [OptionSetting]) throws(Fault) {
        try settings.apply(to: &self, by: Self.entries)
    }
}
