internal import RefreshProtocol

extension HTTPBackend {
    /// Throws the same configuration errors as creating the backend, but starts nothing.
    package static func check(
        url: String, parameters: [String], options: HTTPOptions
    ) throws(BackendConfigurationError) {
        try options.check()
        _ = try HTTPRequestTemplate(url: url, parameters: parameters, options: options)
        let probe = LoadRequest(feed: "", kind: .refresh, page: 1, offset: 0, size: 1)
        let example = try URLTemplate(url, parameters: parameters).url(for: probe)
        guard let example, CurlURL.origin(of: example) != nil else {
            throw BackendConfigurationError("url", "The URL cannot be read.")
        }
    }
}
