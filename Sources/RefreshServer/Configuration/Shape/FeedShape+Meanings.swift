internal import RefreshBroker

/// The meanings and defaults of the keys of feeds and backends.
extension FeedShape {
    /// Returns nil for a key without a description; a test checks that every key has one.
    static func meaning(of name: String, _ kind: BackendKind) -> String? {
        switch (name, kind) {
        case ("path", .sqlite): "the database; a relative path begins in the file's folder"
        case ("path", _): "the file of items; a relative path begins in the file's folder"
        case ("lineBytesMax", .worker): "bytes of one message of a worker"
        case ("next", _):
            "JSON pointer to the next page's cursor in the answer, or link: the rel=next of its "
                + "header Link"
        default: everyFeed[name] ?? everyBackend[name] ?? ofOneKind[name]
        }
    }

    private static let everyFeed = [
        "backend": "what stands behind it: a kind, or the name of an entry of backends",
        "paging": "how pages are counted; none only of http, exec and worker",
        "first":
            "the number of the first page or offset; without the key 1 for page, 0 for offset",
        "size": "items of a page, at most limits.pageSizeMax",
        "parameters":
            "what clients may give with attach: names of texts, or a type by each name",
        "forward":
            "headers that clients may give to the backend, in lower case; http, exec and worker",
        "shared": "whether answers are everybody's, whoever asks",
        "cache": "how long answers are kept; without the key they are not",
        "coolDownMs": "ms after a refresh for which an equal one gets the same answer",
        "itemKey": "JSON pointer to what tells one item of the list from another, as /id",
    ]

    private static let everyBackend = [
        "calls": "calls of the backend at one time", "queue": "loads that wait for a call",
        "retry": "how calls that failed are tried again",
        "breaker": "when a backend that fails is not asked for a while",
    ]

    private static let ofOneKind = [
        "format": "without the key the extension says it: .json, .jsonl or .ndjson, .csv",
        "bytesMax": "bytes of the file; a larger one is not read",
        "url": "the request, with placeholders such as {page}, {size}, {parameter:NAME}",
        "method": "how it is asked",
        "body": "of a POST: what is sent as JSON; its texts may hold placeholders",
        "headers": "headers of every request, as written",
        "items": "JSON pointer to the items in the answer",
        "more": "JSON pointer to whether more follow",
        "total": "JSON pointer to how many items there are",
        "nextParameter":
            "what next leads to is a URL, and the cursor is this parameter of its query",
        "etag": "whether an answer's ETag is sent with the next equal request",
        "redirects": "how many are followed, to the same scheme, host and port only",
        "http2": "whether HTTP/2 is spoken where TLS offers it",
        "ca": "file of certificates to trust instead of the system's; PEM",
        "proxy": "http://HOST:PORT or socks5h://HOST:PORT",
        "connectTimeoutMs": "ms within which it is connected",
        "totalTimeoutMs": "ms within which it has answered",
        "responseBytesMax": "bytes of one answer, at most limits.backendResponseBytesMax",
        "query": "one SELECT; values are bound, as :size, :offset and the parameters by name",
        "count": "one SELECT whose first value is the total",
        "after": "with paging cursor, and required there: the columns that order the result",
        "timeoutMs": "ms after which a query is interrupted",
        "command": "the program by its absolute path, and its arguments; no shell looks at it",
        "folder": "where it runs; without the key the file's folder",
        "environment": "variables that it has beside PATH and LANG",
        "processes": "how many run", "loadsPerProcess": "loads that one has at a time",
        "lineBytesMax": "bytes of one line that it says",
        "graceMs": "ms for which it may go on after it was told to end, before it is killed",
        "restartBaseMs": "ms before a process that ended is started again; doubled each time",
        "restartCapMs": "the longest such pause; ms",
        "steps": "what each call does; the first call the first step",
        "then": "what follows the last step: the same again, or the first",
    ]

    /// Returns the default of a key; nil if there is none, or if the key's meaning describes it.
    static func standard(of name: String, _ kind: BackendKind) -> String? {
        switch (name, kind) {
        case ("size", _): FeedSettings.standardSize(kind).description
        case ("shared", _): FeedPolicy().isShared.description
        case ("coolDownMs", _): FeedPolicy().coolDownMs.description
        case ("calls", _): BackendPolicy().calls.description
        case ("queue", _): BackendPolicy().queue.description
        case ("bytesMax", .file): FileSettings(path: "", folder: "").bytesMax.description
        case (_, .http): standard(of: name, HTTPOptions())
        case ("timeoutMs", .sqlite): SQLiteOptions(path: "", query: "").timeoutMs.description
        case ("responseBytesMax", .sqlite):
            SQLiteOptions(path: "", query: "").responseBytesMax.description
        case (_, .exec): standard(of: name, ExecOptions(command: [], folder: ""))
        case ("lineBytesMax", .worker): WorkerOptions(feeds: []).lineBytesMax.description
        case ("then", .script): YAMLText.quoted(ScriptOptions([]).then.rawValue)
        default: nil
        }
    }

    private static func standard(of name: String, _ options: HTTPOptions) -> String? {
        switch name {
        case "method": YAMLText.quoted(options.method.rawValue)
        case "etag": options.etag.description
        case "redirects": options.redirects.description
        case "http2": options.http2.description
        case "connectTimeoutMs": options.connectTimeoutMs.description
        case "totalTimeoutMs": options.totalTimeoutMs.description
        case "responseBytesMax": options.responseBytesMax.description
        default: nil
        }
    }

    private static func standard(of name: String, _ options: ExecOptions) -> String? {
        switch name {
        case "processes": options.processes.description
        case "loadsPerProcess": options.loadsPerProcess.description
        case "lineBytesMax": options.lineBytesMax.description
        case "graceMs": options.graceMs.description
        case "restartBaseMs": options.restartBaseMs.description
        case "restartCapMs": options.restartCapMs.description
        default: nil
        }
    }
}
