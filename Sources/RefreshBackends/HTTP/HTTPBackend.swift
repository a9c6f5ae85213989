internal import CCurl
package import RefreshBroker
internal import RefreshProtocol

/// A backend that reads items from an HTTP API.
///
/// A client has one thread with libcurl's multi interface, and reuses connections. If the
/// task of a load is cancelled, its transfer is aborted immediately. Only the configuration
/// determines the host. Clients can only supply values in the path, the query, the body and
/// forwarded headers (see `URLTemplate` and `BodyTemplate`). Source: docs/backends.md, "http".
package struct HTTPBackend: Backend {
    private let template: HTTPRequestTemplate
    private let reader: HTTPPageReader
    private let options: HTTPOptions
    private let origin: CurlURL.Origin
    private let client: HTTPClientUse
    /// The entity tags; nil unless `etag` is configured.
    private let tags: EntityTagStore?
    /// The requests for edits; nil if the feed accepts none.
    private let edits: HTTPEdit?

    /// Creates the backend, or throws a configuration error. `parameters` are the names that the
    /// feed declares. `changes` receives the stream of changes, if the options have one. If
    /// `client` is nil, the backend has a client of its own.
    package init(
        url: String, parameters: [String] = [], options: HTTPOptions = HTTPOptions(),
        changes: ChangeStreamReporter? = nil, client: HTTPClient? = nil
    ) throws(BackendConfigurationError) {
        try options.check()
        template = try HTTPRequestTemplate(url: url, parameters: parameters, options: options)
        let probe = LoadRequest(feed: "", kind: .refresh, page: 1, offset: 0, size: 1)
        guard let example = template.url.url(for: probe), let origin = CurlURL.origin(of: example)
        else {
            throw BackendConfigurationError("url", "The URL cannot be read.")
        }
        guard let client = client ?? HTTPClient() else {
            throw BackendConfigurationError("url", "libcurl could not be started.")
        }
        self.options = options
        self.origin = origin
        self.client = HTTPClientUse(client: client, options: options, changes: changes)
        reader = HTTPPageReader(options)
        tags = options.etag ? EntityTagStore() : nil
        edits = options.editURL.map { HTTPEdit(url: $0, options: options) }
    }

    package func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        // The URL and the body can be long, so they are not built on the broker's thread.
        await Task.yield()
        var request = try template.request(for: call)
        guard let tags else { return try reader.page(of: try await answer(to: request)).page }
        let key = EntityTagStore.Key(
            request, headers: template.forwarded(call.request), subject: call.request.subject)
        let known = tags.entry(for: key)
        if let known {
            request.headers.append(HeaderField(name: "If-None-Match", value: known.tag))
        }
        let answer = try await answer(to: request)
        if answer.status == 304, var known {
            if !known.specifiesLifetime, let lifetime = HTTPPageReader.lifetimeMs(of: answer) {
                known.page.lifetimeMs = lifetime
            }
            return known.page
        }
        let (page, specifiesLifetime) = try reader.page(of: answer)
        let entry = answer.fields.etag.map {
            EntityTagStore.Entry(tag: $0, page: page, specifiesLifetime: specifiesLifetime)
        }
        tags.store(page.lifetimeMs == 0 ? nil : entry, for: key)
        return page
    }

    /// Sends the edit once. Redirects are not followed, because they could turn it into a `GET`.
    package func edit(_ call: EditCall) async throws(LoadFailure) -> [UInt8]? {
        guard let edits else {
            throw LoadFailure(.backendRejected, "The feed accepts no edits.")
        }
        await Task.yield()
        return try HTTPEdit.item(of: try await client.answer(to: edits.request(for: call)))
    }

    /// Ends the stream of changes.
    package func stop() { client.stopStream() }

    /// Returns the last answer of a chain of redirects within the same origin. Throws if there is
    /// no answer, or if a redirect leads to another origin.
    private func answer(to first: HTTPRequest) async throws(LoadFailure) -> HTTPAnswer {
        let begin = MonotonicTime.now
        var request = first
        var followed = 0
        while true {
            let answer = try await client.answer(to: request)
            guard followed < options.redirects, let target = answer.redirectTarget else {
                return answer
            }
            guard CurlURL.origin(of: target) == origin else {
                throw LoadFailure(.backendRejected, "The backend redirects to another server.")
            }
            followed += 1
            request.redirect(answer.status, to: target)
            let spentMs = Int((MonotonicTime.now.microseconds - begin.microseconds) / 1000)
            request.timeoutMs = options.totalTimeoutMs - spentMs
            guard request.timeoutMs > 0 else {
                throw LoadFailure(.backendTimedOut, "No answer in \(options.totalTimeoutMs) ms.")
            }
        }
    }
}

extension HTTPBackend {
    /// Throws the same configuration errors as `init`, but starts nothing.
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
