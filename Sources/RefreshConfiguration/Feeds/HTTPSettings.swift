package import RefreshBroker

/// The settings of a feed of kind `http`. Source: docs/backends.md, "http".
package struct HTTPSettings: Hashable, Sendable {
    /// The template of the URL.
    package var url: String
    package var options: HTTPOptions

    package init(url: String, options: HTTPOptions = HTTPOptions()) {
        self.url = url
        self.options = options
    }

    /// Throws an error with the key of an invalid setting. Makes no request.
    func check(parameters: [FeedParameter]) throws(BackendConfigurationError) {
        try HTTPBackend.check(url: url, parameters: parameters.map(\.name), options: options)
    }
}
