package import RefreshBroker
package import RefreshServer

/// A feed of the session in process.
package struct SimulatedFeed: Sendable {
    package var description: FeedDescription
    package var backend: any Backend
    /// What tells one item from another; nil: nothing does.
    package var itemKey: JSONPointer?

    package init(
        description: FeedDescription, backend: any Backend, itemKey: JSONPointer? = nil
    ) {
        self.description = description
        self.backend = backend
        self.itemKey = itemKey
    }
}
