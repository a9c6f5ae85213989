internal import RefreshBroker

/// Reads how an `http` backend asks. Source: docs/backends.md, "http".
enum HTTPReader {
    static func settings(
        _ section: FeedSection, of feed: FeedInput, with reader: inout SettingsReader
    ) -> HTTPSettings? {
        let settings = section.settings
        var options = HTTPOptions()
        let range = 1...600_000
        options.connectTimeoutMs =
            reader.integer("connectTimeoutMs", in: settings, range) ?? options.connectTimeoutMs
        options.totalTimeoutMs =
            reader.integer("totalTimeoutMs", in: settings, range)
            ?? max(options.totalTimeoutMs, options.connectTimeoutMs)
        options.responseBytesMax = reader.answerBytes(
            "responseBytesMax", in: section, standard: options.responseBytesMax)
        let url = reader.required("url", in: section).flatMap {
            reader.string($0, key: settings.key("url"))
        }
        if !section.isPart, options.totalTimeoutMs < options.connectTimeoutMs {
            reader.report(
                "\(options.totalTimeoutMs) is below connectTimeoutMs, \(options.connectTimeoutMs)",
                key: settings.key("totalTimeoutMs"), at: settings["totalTimeoutMs"] ?? section.node)
        }
        return url.map { HTTPSettings(url: $0, options: options) }
    }
}
