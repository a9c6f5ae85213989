package import RefreshBroker
package import RefreshServer

/// A feed of the session in process.
package struct SimulatedFeed: Sendable {
    package var description: FeedDescription
    package var backend: any Backend

    package init(description: FeedDescription, backend: any Backend) {
        self.description = description
        self.backend = backend
    }
}
