internal import RefreshBackends
internal import RefreshProtocol

/// The keys that belong to one kind of backend. Source: docs/backends.md.
enum FeedKeys {
    static let pointer = SettingsShape.text(pattern: "^(/|$)")
    static let timeout = SettingsShape.integer(1...600_000)
    private static let bytes = SettingsShape.integer(1024...1_073_741_824)

    private static func path(_ what: String) -> SettingsKey {
        SettingsKey(
            "path", .text(), isRequired: true,
            meaning: "\(what); a relative path starts in the configuration file's folder")
    }

    private static func responseBytesMax(_ standard: Int) -> SettingsKey {
        SettingsKey(
            "responseBytesMax", bytes,
            meaning: "maximum bytes of one answer; at most limits.backendResponseBytesMax",
            standard: standard.description)
    }

    static let file = [
        path("the file of items"),
        SettingsKey(
            "format", .choice(FileFormat.allCases.map(\.rawValue)),
            meaning:
                "the format; without the key, the extension decides: .json, .jsonl or .ndjson, "
                + ".csv"),
        SettingsKey(
            "bytesMax", bytes, meaning: "maximum bytes of the file; a larger file is not read",
            standard: FileSettings(path: "", folder: "").bytesMax.description),
    ]

    // MARK: http

    static let http: [SettingsKey] = httpRequest + httpAnswer + httpTransfer

    private static let httpRequest = [
        SettingsKey(
            "url", .text(pattern: ConfigurationShape.webPattern), isRequired: true,
            secrecy: .address,
            meaning: "the URL of a request, with placeholders such as {page}, {size}, "
                + "{parameter:NAME}"),
        SettingsKey(
            "method", .choice(HTTPOptions.Method.allCases.map(\.rawValue)),
            meaning: "the HTTP method", standard: YAMLText.quoted(HTTPOptions().method.rawValue)),
        SettingsKey(
            "body", .json, secrecy: .hidden,
            meaning: "the JSON that a POST sends; its texts may contain placeholders"),
        SettingsKey(
            "headers", .named(.text()), secrecy: .hiddenValues,
            meaning: "headers that every request has, without placeholders"),
    ]

    private static let httpAnswer = [
        SettingsKey("items", pointer, meaning: "JSON pointer to the items in the answer"),
        SettingsKey(
            "more", pointer,
            meaning: "JSON pointer to the value that states whether more items follow"),
        SettingsKey(
            "next", .either([.choice(["link"]), pointer]),
            meaning:
                "where the answer contains the cursor of the next page: a JSON pointer into its "
                + "body, or link for the URL with rel=next in its Link header"),
        SettingsKey("total", pointer, meaning: "JSON pointer to the total number of items"),
        SettingsKey(
            "nextParameter", .text(),
            meaning:
                "if it is set, next leads to a URL, and the cursor is the value of this parameter "
                + "in the query of that URL"),
        SettingsKey(
            "etag", .boolean,
            meaning: "whether an answer's ETag is sent with the next equal request",
            standard: HTTPOptions().etag.description),
    ]

    private static let httpTransfer = [
        SettingsKey(
            "redirects", .integer(0...5),
            meaning:
                "maximum number of redirects that a request follows; only to the same scheme, host "
                + "and port",
            standard: HTTPOptions().redirects.description),
        SettingsKey(
            "http2", .boolean, meaning: "whether HTTP/2 is used if the server offers it over TLS",
            standard: HTTPOptions().http2.description),
        SettingsKey(
            "ca", .text(),
            meaning: "PEM file of the certificates that are trusted in place of the system's"),
        SettingsKey(
            "proxy", .text(), secrecy: .address,
            meaning: "the proxy for all requests: http://HOST:PORT or socks5h://HOST:PORT"),
        SettingsKey(
            "connectTimeoutMs", timeout,
            meaning: "ms within which the connection must be established",
            standard: HTTPOptions().connectTimeoutMs.description),
        SettingsKey(
            "totalTimeoutMs", timeout, meaning: "ms within which the whole answer must arrive",
            standard: HTTPOptions().totalTimeoutMs.description),
        responseBytesMax(HTTPOptions().responseBytesMax),
    ]

    // MARK: sqlite

    static let sqlite: [SettingsKey] = {
        let standard = SQLiteOptions(path: "", query: "")
        return [
            path("the database"),
            SettingsKey(
                "query", .text(), isRequired: true,
                meaning:
                    "one SELECT statement; its placeholders, such as :size, :offset and :NAME for "
                    + "a parameter, are bound to values"),
            SettingsKey(
                "count", .text(),
                meaning: "one SELECT statement whose first value is the total number of items"),
            SettingsKey(
                "after", .list(.text()),
                meaning:
                    "the columns that order the result; required with paging: cursor, and not "
                    + "allowed without it"
            ),
            SettingsKey(
                "timeoutMs", timeout, meaning: "ms after which a query is interrupted",
                standard: standard.timeoutMs.description),
            responseBytesMax(standard.responseBytesMax),
        ]
    }()

    // MARK: exec and worker

    static let exec: [SettingsKey] = {
        let standard = ExecOptions(command: [], folder: "")
        return [
            SettingsKey(
                "command", .list(.text(), isNeverEmpty: true), isRequired: true, secrecy: .hidden,
                meaning:
                    "the absolute path of the program, and its arguments; no shell is used"),
            SettingsKey(
                "folder", .text(),
                meaning: "the working folder; without the key, the configuration file's folder"),
            SettingsKey(
                "environment", .named(.text()), secrecy: .hiddenValues,
                meaning: "environment variables of the program, in addition to PATH and LANG"),
            SettingsKey(
                "processes", .integer(ExecOptions.processesRange), meaning: "number of processes",
                standard: standard.processes.description),
            SettingsKey(
                "loadsPerProcess", .integer(ExecOptions.loadsPerProcessRange),
                meaning: "maximum number of concurrent loads of one process",
                standard: standard.loadsPerProcess.description),
            SettingsKey(
                "lineBytesMax", .integer(ExecOptions.lineBytesRange),
                meaning: "maximum bytes of one line that the program writes",
                standard: standard.lineBytesMax.description),
            SettingsKey(
                "graceMs", .integer(ExecOptions.graceMsRange),
                meaning: "ms that a process may take to end; after this time it is killed",
                standard: standard.graceMs.description),
            SettingsKey(
                "restartBaseMs", .integer(ExecOptions.restartMsRange),
                meaning: "ms before a process that has ended is restarted; doubled each time that "
                    + "the process ends within 10 s",
                standard: standard.restartBaseMs.description),
            SettingsKey(
                "restartCapMs", .integer(ExecOptions.restartMsRange),
                meaning: "maximum ms before a restart",
                standard: standard.restartCapMs.description),
        ]
    }()

    static let worker = [
        SettingsKey(
            "lineBytesMax", bytes, meaning: "maximum bytes of one message of a worker",
            standard: WorkerOptions(feeds: []).lineBytesMax.description),
        SettingsKey(
            "bus", .boolean,
            meaning: "whether workers on the bus of the cluster serve the feed too",
            standard: "false"),
    ]

    // MARK: script

    static let script = [
        SettingsKey(
            "steps", .list(.table(step), isNeverEmpty: true), isRequired: true,
            meaning: "the results of the calls, in order: one step for each call"),
        SettingsKey(
            "then", .choice(ScriptOptions.Then.allCases.map(\.rawValue)),
            meaning: "the step that follows the last step: the last step again, or the first step",
            standard: YAMLText.quoted(ScriptOptions([]).then.rawValue)),
    ]

    /// The keys of a step of a `script` backend. `ScriptReader` checks which keys may be combined.
    private static let step: [SettingsKey] = [
        SettingsKey(
            "afterMs", .integer(0...3_600_000), meaning: "ms until the answer",
            standard: ScriptStep(.hang).afterMs.description),
        SettingsKey("items", .list(.json), meaning: "the items of the answer"),
        SettingsKey("more", .boolean, meaning: "whether more items follow"),
        SettingsKey("next", .text(), meaning: "the next page's cursor"),
        SettingsKey(
            "total", .integer(0...PageReader.naturalMax), meaning: "the total number of items"),
        SettingsKey(
            "maxAgeMs", .integer(0...PageReader.naturalMax),
            meaning: "ms for which the answer may be cached"),
        SettingsKey(
            "generate", .integer(0...1_000_000),
            meaning:
                "the answer has items of a generated list of this size; the page, offset or cursor "
                + "of the request selects them"),
        SettingsKey(
            "fail",
            .choice(FaultCode.allCases.map(\.rawValue).filter { $0.hasPrefix("backend") }),
            meaning: "the call fails with this code"),
        SettingsKey(
            "retryAfterMs", .integer(0...ScriptStep.retryAfterMsMax),
            meaning: "ms after which a retry is useful"),
        SettingsKey(
            "raw", .text(), meaning: "the bytes of the answer, which are parsed like any answer"),
        SettingsKey(
            "progress", .list(.number(0...1)),
            meaning: "values of progress that are reported at equal intervals during afterMs"),
        SettingsKey(
            "hang", .boolean, meaning: "the call never answers, but ends when it is cancelled"),
    ]
}
