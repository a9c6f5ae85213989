internal import RefreshBroker
internal import RefreshConfiguration
internal import RefreshServer
internal import RefreshSession
internal import WebClient

extension SimulatedFeed {
    /// Returns the demo's feed of installed packages, as a daemon with the default configuration
    /// serves it.
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
