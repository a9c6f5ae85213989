internal import RefreshBroker

/// The meanings and defaults of the keys of feeds and backends.
extension FeedShape {
    /// Returns nil for a key without a description; a test checks that every key has one.
    static func meaning(of name: String, _ kind: BackendKind) -> String? {
        switch (name, kind) {
        case ("path", .sqlite):
            "the database; a relative path starts in the configuration file's folder"
        case ("path", _):
            "the file of items; a relative path starts in the configuration file's folder"
        case ("lineBytesMax", .worker): "bytes of one worker message"
        case ("next", _):
            "JSON pointer to the next page's cursor in the answer, or link: the rel=next of its "
                + "Link header"
        default: everyFeed[name] ?? everyBackend[name] ?? ofOneKind[name]
        }
    }

    private static let everyFeed = [
        "backend": "the source of the items: a kind, or the name of an entry of backends",
        "paging": "the paging style; none only for http, exec and worker",
        "first":
            "the number of the first page or offset; without the key 1 for page, 0 for offset",
        "size": "items of a page, at most limits.pageSizeMax",
        "parameters":
            "parameters that attach may have: names of texts, or a type for each name",
        "forward":
            "client headers that the backend receives, in lower case; http, exec and worker",
        "shared": "whether all clients share the answers",
        "cache": "how long answers are cached; without the key they are not",
        "coolDownMs": "ms after a refresh for which an equal one gets the same answer",
        "itemKey": "JSON pointer to the value that identifies an item in the list, such as /id",
    ]

    private static let everyBackend = [
        "calls": "concurrent calls of the backend", "queue": "loads that wait for a call",
        "retry": "how failed calls are retried",
        "breaker": "when calls to a failing backend are suspended for a while",
    ]

    private static let ofOneKind = [
        "format":
            "the format; without the key it follows the extension: .json, .jsonl or .ndjson, .csv",
        "bytesMax": "bytes of the file; a larger one is not read",
        "url": "the request, with placeholders such as {page}, {size}, {parameter:NAME}",
        "method": "the HTTP method",
        "body": "the JSON that a POST sends; its texts may contain placeholders",
        "headers": "headers of every request, as written",
        "items": "JSON pointer to the items in the answer",
        "more": "JSON pointer to whether more items follow",
        "total": "JSON pointer to the total number of items",
        "nextParameter":
            "if set, next leads to a URL, and the cursor is this parameter of its query",
        "etag": "whether an answer's ETag is sent with the next equal request",
        "redirects": "the number that is followed, to the same scheme, host and port only",
        "http2": "whether HTTP/2 is used where TLS offers it",
        "ca": "file of certificates to trust instead of the system's; PEM",
        "proxy": "http://HOST:PORT or socks5h://HOST:PORT",
        "connectTimeoutMs": "ms within which the connection must be established",
        "totalTimeoutMs": "ms within which the whole answer must arrive",
        "responseBytesMax": "bytes of one answer, at most limits.backendResponseBytesMax",
        "query": "one SELECT; values are bound, as :size, :offset and the parameters by name",
        "count": "one SELECT whose first value is the total",
        "after": "only for paging cursor, and required there: the columns that order the result",
        "timeoutMs": "ms after which a query is interrupted",
        "command": "the program by its absolute path, and its arguments; no shell is used",
        "folder": "the working folder; without the key the configuration file's folder",
        "environment": "variables in addition to PATH and LANG",
        "processes": "number of processes", "loadsPerProcess": "concurrent loads of one process",
        "lineBytesMax": "bytes of one line that the program writes",
        "graceMs": "ms from the request to end until the process is killed",
        "restartBaseMs": "ms before an ended process is restarted; doubled each time",
        "restartCapMs": "the maximum of this delay; ms",
        "steps": "the steps, one for each call, in order",
        "then": "the step after the last one: the last again, or the first",
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
