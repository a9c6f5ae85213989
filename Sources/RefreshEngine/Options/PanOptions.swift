package import RefreshProtocol

/// The physics of a list that the engine moves. Source: docs/protocol.md, "Damping".
package struct PanOptions: Hashable, Sendable, Codable {
    /// The maximum distance of the list beyond an edge, points, at least 0; nil: the limit of the
    /// damping.
    package var maximumPull: Double? {
        get { sparsePull.value }
        set { sparsePull.value = newValue }
    }
    private var sparsePull = SparseLength()
    package var damping = DampingCurve.uiscrollview
    package var rate = DecelerationRate.normal

    package init() {}
}
