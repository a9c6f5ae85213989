package import RefreshProtocol

/// Whether a requested load may begin.
package enum LoadStart: Hashable, Sendable {
    /// It may begin with this identity.
    case now(LoadID)
    /// It begins after the other edge's load has ended.
    case later
    /// It may not begin: the other edge's load takes precedence, or the request is not permitted.
    case never
}
