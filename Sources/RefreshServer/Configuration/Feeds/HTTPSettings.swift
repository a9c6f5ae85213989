package import RefreshBroker

/// What a feed of kind `http` is configured with. Source: docs/backends.md, "http".
package struct HTTPSettings: Hashable, Sendable {
    /// A template.
    package var url: String
    package var options: HTTPOptions

    package init(url: String, options: HTTPOptions = HTTPOptions()) {
        self.url = url
        self.options = options
    }

    /// Throws what cannot work, by its key; asks nobody.
    func check(parameters: [FeedParameter]) throws(BackendConfigurationError) {
        try HTTPBackend.check(url: url, parameters: parameters.map(\.name), options: options)
    }
}
