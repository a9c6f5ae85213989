internal import RefreshBackends
package import RefreshBroker
internal import RefreshConfiguration
package import RefreshProtocol
internal import RefreshServer
package import RefreshSession
internal import WebClient

/// A feed that sessions in process can use.
package struct SimulatedFeed: Sendable {
    package var description: FeedDescription
    package var backend: any Backend
    /// The location of the key within an item. The key identifies the item. Nil if items have no
    /// key.
    package var itemKey: JSONPointer?
    /// How long first pages are cached. Nil if first pages are not cached.
    package var cache: FeedPolicy.Cache?
    /// Returns whether a request has the effect that the feed has newer data.
    var isChangedBy: @Sendable (LoadRequest) -> Bool = { _ in false }
    /// The time over which the refreshes of sessions are spread after such a request, in
    /// milliseconds.
    var changesSpreadMs = 0.0
    /// Returns the report of a change that a request causes, with what has changed.
    var report: @Sendable (LoadRequest) -> [UInt8]? = { _ in nil }
    /// Returns the time that an answer takes in addition to the latency, in milliseconds.
    var slownessMs: @Sendable (LoadRequest) -> Double = { _ in 0 }
    /// Returns the answer to an edit, and the time that it takes, in milliseconds.
    var edit: @Sendable (EditRequest, SipHash) -> (EditOutcome, afterMs: Double) = { _, _ in
        (.confirmed, 0)
    }

    package init(
        description: FeedDescription, backend: any Backend, itemKey: JSONPointer? = nil,
        cache: FeedPolicy.Cache? = nil
    ) {
        self.description = description
        self.description.itemKey = itemKey
        self.backend = backend
        self.itemKey = itemKey
        self.cache = cache
    }
}

extension SimulatedFeed {
    /// Returns the demo's feed of installed packages. A daemon with the default configuration
    /// serves the same feed.
    ///
    /// `statusFile` is the path of dpkg's status file. If the file does not exist, the bundled list
    /// is served.
    package static func demo(
        statusFile: String = Configuration.standardPackageStatusFile
    ) throws -> SimulatedFeed {
        let settings = FeedSettings.demo
        let backend = try DemoBackend(
            statusFile: statusFile, fallback: WebClient.packagesJSON, paging: settings.paging,
            firstPage: settings.first)
        let description = FeedDescription(
            name: settings.name, parameters: settings.parameters, style: settings.paging,
            first: settings.first, size: settings.size)
        return SimulatedFeed(
            description: description, backend: backend, itemKey: settings.policy.itemKey)
    }
}
