package import RefreshBroker
internal import RefreshServer
package import RefreshSession

/// A feed of a session in process.
package struct SimulatedFeed: Sendable {
    package var description: FeedDescription
    package var backend: any Backend
    /// The location of the key that identifies an item; nil if items have none.
    package var itemKey: JSONPointer?

    package init(
        description: FeedDescription, backend: any Backend, itemKey: JSONPointer? = nil
    ) {
        self.description = description
        self.backend = backend
        self.itemKey = itemKey
    }
}
