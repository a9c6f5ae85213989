package import RefreshProtocol

/// A load that the engine requests: its purpose and page. Source: docs/protocol.md, "load".
package struct LoadOrder: Hashable, Sendable {
    package var id: LoadID
    package var kind: LoadKind
    package var trigger: LoadTrigger
    package var cause: Cause
    package var page: Int
    /// The offset of the first requested item, in the numbering of the paging style.
    package var offset: Int
    /// The number of requested items.
    package var size: Int
    package var cursor: String?
    /// The attempt number: 1, plus one for each retry.
    package var attempt: Int
    /// Milliseconds after which the load ends as timed out.
    package var deadlineMs: Int
}
