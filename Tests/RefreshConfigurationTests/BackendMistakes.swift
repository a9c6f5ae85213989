/// Mistakes in the keys that only one kind of backend has, and their messages.
let backendMistakes: [Mistake] =
    fileMistakes + httpMistakes + execMistakes + workerMistakes + scriptMistakes

private let workerMistakes = [
    Mistake(
        "feeds: { a: { backend: worker, paging: none, bus: 1 } }",
        "1:51: feeds.a.bus: expected true or false, found `1`"),
    Mistake(
        "feeds: { a: { backend: worker, paging: none, bus: true, cluster: false } }",
        "1:10: feeds.a: `bus: true` cannot be combined with `cluster: false`"),
    Mistake(
        "feeds: { a: { backend: worker, paging: none, edits: { operations: [remove] } } }",
        "1:53: feeds.a.edits: a feed with edits needs an `itemKey`"),
    Mistake(
        "feeds: { a: { backend: worker, paging: none, itemKey: /id, "
            + "edits: { operations: [sort] } } }",
        "1:82: feeds.a.edits.operations: `sort` is not one of insert, update, remove, move, refresh"
    ),
    Mistake(
        "feeds: { a: { backend: worker, paging: none, itemKey: /id, edits: {} } }",
        "1:67: feeds.a.edits: `operations` is missing"),
]

private let fileMistakes = [
    Mistake("feeds: { a: { backend: file, paging: page } }", "1:10: feeds.a: `path` is missing"),
    Mistake(
        "feeds: { a: { backend: file, paging: page, path: ../x.csv } }",
        "1:50: feeds.a.path: a relative path must not leave the folder of this file"),
    Mistake(
        "feeds: { a: { backend: file, paging: page, path: x/../../x.csv } }",
        "1:50: feeds.a.path: a relative path must not leave the folder of this file"),
    Mistake(
        "feeds: { a: { backend: file, paging: page, path: [x] } }",
        "1:50: feeds.a.path: expected a string, found a list"),
    Mistake(
        "feeds: { a: { backend: file, paging: page, path: notes.data } }",
        "1:10: feeds.a: `format` is missing; the extension of `notes.data` does not name one"),
    Mistake(
        "feeds: { a: { backend: file, paging: page, path: x, format: cvs } }",
        "1:61: feeds.a.format: `cvs` is not one of json, jsonl, csv; did you mean `csv`?"),
    Mistake(
        "feeds: { a: { backend: file, paging: page, path: x.csv, bytesMax: 1023 } }",
        "1:67: feeds.a.bytesMax: 1023 is out of range; 1024 to 1073741824"),
]

/// Returns a feed of the kind `http` as one line. The text `keys` begins in its column 68.
private func http(_ keys: String) -> String {
    "feeds: { a: { backend: http, url: \"http://h/{page}\", paging: page, " + keys + " } }"
}

private let httpMistakes = [
    Mistake("feeds: { a: { backend: http, paging: none } }", "1:10: feeds.a: `url` is missing"),
    Mistake(
        "feeds: { a: { backend: http, paging: none, url: ftp://h/ } }",
        "1:49: feeds.a.url: The URL must begin with http:// or https://."),
    Mistake(
        "feeds: { a: { backend: http, paging: none, url: \"http://{parameter:h}/\" } }",
        "1:49: feeds.a.url: The URL must have a plain host, without placeholders or credentials."
    ),
    Mistake(
        "feeds: { a: { backend: http, paging: none, url: \"http://u:p@h/\" } }",
        "1:49: feeds.a.url: The URL must have a plain host, without placeholders or credentials."
    ),
    Mistake(
        "feeds: { a: { backend: http, paging: none, url: \"http://h/{nothing}\" } }",
        "1:49: feeds.a.url: The placeholder {nothing} is unknown."),
    Mistake(
        "feeds: { a: { backend: http, paging: none, url: \"http://h/{trigger}\" } }",
        "1:49: feeds.a.url: The placeholder {trigger} is unknown."),
    Mistake(
        "feeds: { a: { backend: http, paging: none, url: \"http://h/?q={parameter:q}\" } }",
        "1:49: feeds.a.url: It uses the parameter q, which the feed does not declare."),
    // A mistake in a shared backend's URL is reported at the line of the URL. It is not reported at
    // the feeds that use the backend.
    Mistake(
        "backends:\n  b: { kind: http, paging: none,\n    url: ftp://h/ }\n"
            + "feeds: { a: { backend: b }, c: { backend: b } }",
        "3:10: backends.b.url: The URL must begin with http:// or https://."),
    Mistake(http("method: PUT"), "1:76: feeds.a.method: `PUT` is not one of GET, POST"),
    Mistake(
        http("method: post"),
        "1:76: feeds.a.method: `post` is not one of GET, POST; did you mean `POST`?"),
    Mistake(http("body: {}"), "1:74: feeds.a.body: Only a POST can have a body."),
    Mistake(
        http("method: POST, body: { q: \"{parameter:q}\" }"),
        "1:88: feeds.a.body: It uses the parameter q, which the feed does not declare."),
    Mistake(
        http("method: POST, body: [\"{nothing}\"]"),
        "1:88: feeds.a.body: The placeholder {nothing} is unknown."),
    Mistake(
        http("method: POST, body: 1e999"), "1:88: feeds.a.body: a number does not fit a double"),
    Mistake(
        http("headers: [a]"), "1:77: feeds.a.headers: expected a mapping, found a list"),
    Mistake(
        http("headers: { Host: h, Connection: close, \"a b\": c, x: [1] }"),
        "1:88: feeds.a.headers.Connection: this header is reserved for the daemon",
        "1:107: feeds.a.headers: a header name consists of letters, digits and hyphens",
        "1:120: feeds.a.headers.x: expected a string, found a list"),
    Mistake(
        http("headers: { X-A: 1, x-a: 2 }"),
        "1:87: feeds.a.headers.x-a: occurs twice, in different case"),
    Mistake(
        http("headers: { a: \"b\\r\\nc: d\" }"),
        "1:77: feeds.a.headers: The value of `a` contains control characters."),
    Mistake(
        http("headers: { X-Key: 1 }, forward: [x-key]"),
        "1:100: feeds.a.forward: `x-key` is also in headers"),
    Mistake(
        http("forward: [Host]"),
        "1:78: feeds.a.forward: `Host`: header names must be in lower case here"),
    Mistake(
        http("items: data, more: a/b, next: Link, total: /~"),
        "1:75: feeds.a.items: \(pointer("data"))", "1:87: feeds.a.more: \(pointer("a/b"))",
        "1:111: feeds.a.total: \(pointer("/~"))", "1:98: feeds.a.next: \(pointer("Link"))"),
    Mistake(http("etag: yes"), "1:74: feeds.a.etag: expected true or false, found `yes`"),
    Mistake(http("redirects: 6"), "1:79: feeds.a.redirects: 6 is out of range; 0 to 5"),
    Mistake(http("http2: 1"), "1:75: feeds.a.http2: expected true or false, found `1`"),
    Mistake(
        http("ca: /nonexistent/ca.pem"), "1:72: feeds.a.ca: There is no such file."),
    Mistake(
        http("proxy: ftp://h:1"),
        "1:75: feeds.a.proxy: It must be http://HOST:PORT or socks5h://HOST:PORT."),
    Mistake(
        http("connectTimeoutMs: 0, totalTimeoutMs: 600001"),
        "1:86: feeds.a.connectTimeoutMs: 0 is out of range; 1 to 600000",
        "1:105: feeds.a.totalTimeoutMs: 600001 is out of range; 1 to 600000"),
    Mistake(
        http("connectTimeoutMs: 9, totalTimeoutMs: 8"),
        "1:105: feeds.a.totalTimeoutMs: 8 is below connectTimeoutMs, 9"),
    Mistake(
        "limits: { backendResponseBytesMax: 2048 }\n" + http("responseBytesMax: 2049"),
        "2:86: feeds.a.responseBytesMax: 2049 is out of range; 1024 to 2048"),
    Mistake(http("timeoutMs: 1"), "1:68: feeds.a.timeoutMs: not a key of http, but of sqlite"),
]

private func pointer(_ text: String) -> String {
    "`\(text)` is not a JSON pointer (RFC 6901); write it as /a/b"
}

/// Returns a feed of the kind `exec` as one line. The text `keys` begins in its column 44.
private func exec(_ keys: String) -> String {
    "feeds: { a: { backend: exec, paging: none, " + keys + " } }"
}

private let execMistakes = [
    Mistake(exec("calls: 1"), "1:10: feeds.a: `command` is missing"),
    Mistake(
        exec("command: /bin/true"), "1:53: feeds.a.command: expected a list, found a string"),
    Mistake(exec("command: []"), "1:53: feeds.a.command: the program is missing"),
    Mistake(
        exec("command: [python3, x.py]"),
        "1:54: feeds.a.command: the program must be an absolute path; neither a shell nor PATH "
            + "is used"
    ),
    Mistake(
        exec("command: [/bin/true, [x]]"),
        "1:65: feeds.a.command: expected a string, found a list"),
    Mistake(
        exec("command: [/bin/true, \"a\\0b\"]"),
        "1:53: feeds.a.command: An argument contains a NUL."),
    Mistake(
        exec("command: [/bin/true], folder: []"),
        "1:74: feeds.a.folder: expected a string, found a list"),
    Mistake(
        exec("command: [/bin/true], environment: { A: [], \"B=C\": d }"),
        "1:84: feeds.a.environment.A: expected a string, found a list",
        "1:88: feeds.a.environment: a variable's name must not be empty or contain `=`"),
    Mistake(
        exec("command: [/bin/true], processes: 65, loadsPerProcess: 0, lineBytesMax: 1"),
        "1:77: feeds.a.processes: 65 is out of range; 1 to 64",
        "1:98: feeds.a.loadsPerProcess: 0 is out of range; 1 to 1000",
        "1:115: feeds.a.lineBytesMax: 1 is out of range; 1024 to 8388608"),
    Mistake(
        exec("command: [/bin/true], graceMs: 60001, restartBaseMs: 0"),
        "1:75: feeds.a.graceMs: 60001 is out of range; 0 to 60000",
        "1:97: feeds.a.restartBaseMs: 0 is out of range; 1 to 3600000"),
    Mistake(
        exec("command: [/bin/true], restartBaseMs: 9, restartCapMs: 8"),
        "1:98: feeds.a.restartCapMs: It must not be smaller than restartBaseMs."),
    // A key that a shared backend lacks is reported once, at the backend, not at each of its feeds.
    Mistake(
        "backends: { b: { kind: exec } }\n"
            + "feeds: { a: { backend: b, paging: none }, c: { backend: b, paging: none } }",
        "1:13: backends.b: `command` is missing"),
    Mistake(
        "backends: { b: { kind: exec, command: [/bin/true], restartCapMs: 5 } }",
        "1:66: backends.b.restartCapMs: It must not be smaller than restartBaseMs."),
    Mistake(
        "backends: { b: { kind: exec, command: [/bin/true] } }\n"
            + "feeds: { a: { backend: b, paging: none, processes: 3, command: [/bin/false] } }",
        "2:41: feeds.a.processes: applies to all feeds of the backend; set it in backends.b",
        "2:55: feeds.a.command: applies to all feeds of the backend; set it in backends.b"),
]

/// Returns a feed of kind `script` on one line. Its first step begins in column 55.
private func script(_ steps: String) -> String {
    "feeds: { a: { backend: script, paging: page, steps: [ " + steps + " ] } }"
}

private let oneEnd =
    "exactly one of items, generate, fail, raw, hang is required"

private let scriptMistakes = [
    Mistake(
        "feeds: { a: { backend: script, paging: page } }", "1:10: feeds.a: `steps` is missing"),
    Mistake(
        "feeds: { a: { backend: script, paging: page, steps: [] } }",
        "1:53: feeds.a.steps: There must be 1 to 10000 steps."),
    Mistake(
        "feeds: { a: { backend: script, paging: page, steps: { hang: true } } }",
        "1:53: feeds.a.steps: expected a list, found a mapping"),
    Mistake(
        "feeds: { a: { backend: script, paging: page, then: first, steps: [{ hang: true }] } }",
        "1:52: feeds.a.then: `first` is not one of last, repeat"),
    Mistake(script("5"), "1:55: feeds.a.steps[0]: expected a mapping, found a string"),
    Mistake(script("{ afterMs: 5 }"), "1:55: feeds.a.steps[0]: \(oneEnd)"),
    Mistake(script("{ hang: true }, { raw: a, items: [] }"), "1:71: feeds.a.steps[1]: \(oneEnd)"),
    Mistake(
        script("{ hang: true, aftreMs: 5 }"),
        "1:69: feeds.a.steps[0].aftreMs: unknown key; did you mean `afterMs`?"),
    Mistake(script("{ hang: false }"), "1:63: feeds.a.steps[0].hang: must be `true` or absent"),
    Mistake(
        script("{ hang: true, afterMs: 3600001 }"),
        "1:78: feeds.a.steps[0].afterMs: 3600001 is out of range; 0 to 3600000"),
    Mistake(
        script("{ generate: 1000001 }"),
        "1:67: feeds.a.steps[0].generate: 1000001 is out of range; 0 to 1000000"),
    Mistake(
        script("{ fail: backendUnavailabel }"),
        "1:63: feeds.a.steps[0].fail: `backendUnavailabel` is not one of \(failureCodes); did you "
            + "mean `backendUnavailable`?"),
    Mistake(
        script("{ fail: unknownView }"),
        "1:63: feeds.a.steps[0].fail: `unknownView` is not one of \(failureCodes)"),
    Mistake(
        script("{ fail: backendFailed, retryAfterMs: -1 }"),
        "1:92: feeds.a.steps[0].retryAfterMs: -1 is out of range; 0 to 86400000"),
    Mistake(
        script("{ fail: backendFailed, retryAfterMs: 86400001 }"),
        "1:92: feeds.a.steps[0].retryAfterMs: 86400001 is out of range; 0 to 86400000"),
    Mistake(
        script("{ items: [], total: 9007199254740992 }"),
        "1:75: feeds.a.steps[0].total: 9007199254740992 is out of range; 0 to 9007199254740991"),
    Mistake(
        script("{ generate: 1, retryAfterMs: 1, more: true }"),
        "1:70: feeds.a.steps[0].retryAfterMs: is allowed only with `fail`",
        "1:87: feeds.a.steps[0].more: is allowed only with `items`"),
    Mistake(
        script("{ items: 5 }"), "1:64: feeds.a.steps[0].items: expected a list, found a string"),
    Mistake(
        script("{ items: [1e999] }"),
        "1:65: feeds.a.steps[0].items: a number does not fit a double"),
    Mistake(
        script("{ items: [], more: 1, next: [], total: -1, maxAgeMs: x }"),
        "1:74: feeds.a.steps[0].more: expected true or false, found `1`",
        "1:83: feeds.a.steps[0].next: expected a string, found a list",
        "1:94: feeds.a.steps[0].total: -1 is out of range; 0 to 9007199254740991",
        "1:108: feeds.a.steps[0].maxAgeMs: expected an integer, found `x`"),
    Mistake(
        script("{ hang: true, progress: [0.5, 1.5, \"1\"] }"),
        "1:85: feeds.a.steps[0].progress: expected a number from 0 to 1",
        "1:90: feeds.a.steps[0].progress: expected a number from 0 to 1"),
]

private let failureCodes =
    "backendUnavailable, backendTimedOut, backendSuspended, backendRejected, backendFailed, "
    + "backendUntrusted, backendAnswerMalformed, backendAnswerTooLarge, backendBusy"
