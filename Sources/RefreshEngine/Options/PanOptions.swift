package import RefreshProtocol

/// How a list feels whose physics are the engine's. Source: docs/protocol.md, "Damping".
package struct PanOptions: Hashable, Sendable, Codable {
    /// How far beyond an edge the list may go, points, at least 0; nil: as far as the damping lets
    /// it.
    package var maximumPull: Double? {
        get { sparsePull.value }
        set { sparsePull.value = newValue }
    }
    private var sparsePull = SparseLength()
    package var damping = DampingCurve.uiscrollview
    package var rate = DecelerationRate.normal

    package init() {}
}
