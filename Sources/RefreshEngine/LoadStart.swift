package import RefreshProtocol

/// Whether a load that is asked for may begin.
package enum LoadStart: Hashable, Sendable {
    /// With this identity.
    case now(LoadID)
    /// When the other edge's load has ended.
    case later
    /// The other edge's load comes first, or whoever asks may not.
    case never
}
