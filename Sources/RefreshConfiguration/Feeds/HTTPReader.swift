internal import RefreshBackends
internal import RefreshProtocol
internal import Yams

/// Reads the settings of an `http` backend: its requests, and the places of the values in its
/// answers. Source: docs/backends.md, "http".
enum HTTPReader {
    static func settings(
        _ section: FeedSection, of feed: FeedInput, with reader: inout SettingsReader
    ) -> HTTPSettings? {
        let problems = reader.problems.count
        let settings = section.settings
        let url = reader.string("url", in: settings)
        var options = HTTPOptions()
        options.forward = feed.forward
        readRequest(settings, into: &options, with: &reader)
        readAnswer(settings, into: &options, with: &reader)
        readTransfer(section, into: &options, with: &reader)
        options.editURL = EditsReader.url(settings, with: &reader)
        if let changes = reader.table("changes", in: settings) {
            options.changes = reader.string("url", in: changes)
        }
        for name in feed.forward
        where options.headers.contains(where: { $0.name.lowercased() == name }) {
            reader.report(
                "`\(name)` is also in headers", key: settings.key("forward"),
                at: settings["forward"] ?? settings.node)
        }
        guard let url, reader.problems.count == problems else { return nil }
        let http = HTTPSettings(url: url, options: options)
        return reader.checked(http, in: section) { http throws(BackendConfigurationError) in
            try http.check(parameters: feed.parameters)
        }
    }

    private static func readRequest(
        _ settings: SettingsMapping, into options: inout HTTPOptions,
        with reader: inout SettingsReader
    ) {
        options.method =
            reader.choice("method", in: settings) ?? options.method
        if let node = settings["body"] {
            options.body = reader.json(node, key: settings.key("body"))
        }
        options.headers = headers(settings, with: &reader)
    }

    private static func headers(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> [HeaderField] {
        guard let entries = reader.named("headers", in: settings)?.entries else { return [] }
        var headers: [HeaderField] = []
        for entry in entries {
            if let objection = HeaderRule.objection(toConfigured: entry.name) {
                // An invalid name may be a whole header with its value, so the message does not
                // repeat it.
                let isName = HeaderRule.isName(entry.name)
                reader.report(
                    objection, key: isName ? entry.key : settings.key("headers"), at: entry.keyNode)
            } else if headers.contains(where: { $0.name.lowercased() == entry.name.lowercased() }) {
                reader.report("occurs twice, in different case", key: entry.key, at: entry.keyNode)
            } else if let value = reader.scalar(entry.value, key: entry.key) {
                headers.append(HeaderField(name: entry.name, value: value))
            }
        }
        return headers
    }

    private static func readAnswer(
        _ settings: SettingsMapping, into options: inout HTTPOptions,
        with reader: inout SettingsReader
    ) {
        options.items = reader.pointer("items", in: settings)
        options.more = reader.pointer("more", in: settings)
        options.total = reader.pointer("total", in: settings)
        if case .scalar(let scalar)? = settings["next"], scalar.string == "link" {
            options.next = .link
        } else {
            options.next = reader.pointer("next", in: settings).map { .pointer($0) }
        }
        options.nextParameter = reader.string("nextParameter", in: settings)
        options.etag = reader.boolean("etag", in: settings) ?? options.etag
    }

    private static func readTransfer(
        _ section: FeedSection, into options: inout HTTPOptions, with reader: inout SettingsReader
    ) {
        let settings = section.settings
        options.redirects = reader.integer("redirects", in: settings) ?? options.redirects
        options.http2 = reader.boolean("http2", in: settings) ?? options.http2
        options.ca = reader.string("ca", in: settings).map(section.folder.resolve(_:))
        options.proxy = reader.string("proxy", in: settings)
        options.connectTimeoutMs =
            reader.integer("connectTimeoutMs", in: settings) ?? options.connectTimeoutMs
        options.totalTimeoutMs =
            reader.integer("totalTimeoutMs", in: settings)
            ?? max(options.totalTimeoutMs, options.connectTimeoutMs)
        options.responseBytesMax = reader.answerBytes(
            "responseBytesMax", in: section, standard: options.responseBytesMax)
        if !section.isPart, options.totalTimeoutMs < options.connectTimeoutMs {
            reader.report(
                "\(options.totalTimeoutMs) is below connectTimeoutMs, \(options.connectTimeoutMs)",
                key: settings.key("totalTimeoutMs"), at: settings["totalTimeoutMs"] ?? settings.node
            )
        }
    }
}
