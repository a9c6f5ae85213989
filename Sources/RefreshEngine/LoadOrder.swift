package import RefreshProtocol

/// A load that the engine wants: what for, and which page. Source: docs/protocol.md, "load".
package struct LoadOrder: Hashable, Sendable {
    package var id: LoadID
    package var kind: LoadKind
    package var trigger: LoadTrigger
    package var cause: Cause
    package var page: Int
    /// The offset of the first item wanted, in the numbering of the paging style.
    package var offset: Int
    /// Items wanted.
    package var size: Int
    package var cursor: String?
    /// 1, and one more with each retry.
    package var attempt: Int
    /// Milliseconds after which it ends as timed out.
    package var deadlineMs: Int
}
