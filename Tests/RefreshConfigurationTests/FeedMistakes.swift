/// Mistakes in the keys that all feeds and backends have, and their messages.
let feedMistakes: [Mistake] = [
    Mistake("feeds: { a: {} }", "1:10: feeds.a: `backend` is missing"),
    Mistake(
        "feeds: { a: { backend: htp } }",
        "1:24: feeds.a.backend: there is no backend `htp`; did you mean `http`?"),
    Mistake(
        "feeds: { a: { backend: nowhere } }",
        "1:24: feeds.a.backend: there is no backend `nowhere`; known: demo, file, http, sqlite, "
            + "exec, worker, script"),
    Mistake(
        "feeds: { \"a b\": { backend: demo } }",
        "1:10: feeds.a b: a name has 1 to 64 letters, digits, `-`, `_` and `.`"),
    // A stream of changes.
    Mistake(
        "feeds: { a: { backend: http, url: \"http://h/\", paging: page, changes: { url: \"http://h/{page}\" } } }",
        "1:71: feeds.a.changes.url: It cannot have placeholders."),
    // Keys of other kinds of backend, and unknown keys.
    Mistake(
        "feeds:\n  a: { backend: demo, path: x }",
        "2:23: feeds.a.path: not a key of demo, but of file, sqlite"),
    Mistake(
        "feeds: { a: { backend: demo, paging: page } }",
        "1:30: feeds.a.paging: not a key of demo, but of file, http, sqlite, exec, worker, script"
    ),
    Mistake(
        "feeds: { a: { backend: demo, first: 2 } }",
        "1:30: feeds.a.first: not a key of demo, but of file, http, sqlite, exec, worker, script",
        "1:37: feeds.a.first: 2 is out of range; 0 to 1"),
    Mistake(
        "feeds: { a: { backend: demo, parameters: [q] } }",
        "1:30: feeds.a.parameters: not a key of demo, but of http, sqlite, exec, worker, script"),
    Mistake(
        "feeds: { a: { backend: demo, forward: [accept-language] } }",
        "1:30: feeds.a.forward: not a key of demo, but of http, exec, worker"),
    Mistake(
        "feeds: { a: { backend: demo, itemkey: /id } }",
        "1:30: feeds.a.itemkey: unknown key; did you mean `itemKey`?"),
    Mistake(
        "feeds: { a: { backend: demo, colour: red } }",
        "1:30: feeds.a.colour: unknown key; known keys: backend, size, shared, cache, coolDownMs, "
            + "debounceMs, itemKey, sectionKey, changes, cluster, calls, queue, retry, breaker"),
    Mistake(
        "feeds: { a: { backend: demo, size: 1001 } }",
        "1:36: feeds.a.size: 1001 is out of range; 1 to 1000"),
    Mistake(
        "feeds: { a: { backend: demo, size: 5, size: 6 } }",
        "1:30: `size` occurs more than once in one mapping"),
    // Paging.
    Mistake(
        "feeds: { a: { backend: file, path: x.csv } }", "1:10: feeds.a: `paging` is missing"),
    Mistake(
        "feeds: { a: { backend: file, path: x, format: csv, paging: none } }",
        "1:60: feeds.a.paging: `none` is not one of page, offset, cursor"),
    Mistake(
        "feeds: { a: { backend: worker, paging: none, first: 2 } }",
        "1:53: feeds.a.first: 2 is out of range; 0 to 1"),
    // Policies of the broker.
    Mistake(
        "feeds: { a: { backend: demo, shared: 1 } }",
        "1:38: feeds.a.shared: expected true or false, found `1`"),
    Mistake(
        "feeds: { a: { backend: demo, cluster: production } }",
        "1:39: feeds.a.cluster: expected true or false, found `production`"),
    Mistake(
        "feeds: { a: { backend: demo, coolDownMs: 3600001 } }",
        "1:42: feeds.a.coolDownMs: 3600001 is out of range; 0 to 3600000"),
    Mistake(
        "feeds: { a: { backend: demo, debounceMs: 60001 } }",
        "1:42: feeds.a.debounceMs: 60001 is out of range; 0 to 60000"),
    Mistake(
        "feeds: { a: { backend: demo, cache: 5 } }",
        "1:37: feeds.a.cache: expected a mapping, found a string"),
    Mistake(
        "feeds: { a: { backend: demo, cache: { staleMs: 1 } } }",
        "1:37: feeds.a.cache: `lifetimeMs` is missing"),
    Mistake(
        "feeds: { a: { backend: demo, cache: { lifetimeMs: 0, staleMs: -1, failureMs: 60001 } } }",
        "1:51: feeds.a.cache.lifetimeMs: 0 is out of range; 1 to 86400000",
        "1:63: feeds.a.cache.staleMs: -1 is out of range; 0 to 86400000",
        "1:78: feeds.a.cache.failureMs: 60001 is out of range; 0 to 60000"),
    Mistake(
        "feeds: { a: { backend: demo, cache: { lifetimeMs: 1, staleS: 3 } } }",
        "1:54: feeds.a.cache.staleS: unknown key; did you mean `staleMs`?"),
    Mistake(
        "feeds: { a: { backend: demo, itemKey: id } }",
        "1:39: feeds.a.itemKey: `id` is not a JSON pointer (RFC 6901); write it as /a/b"),
    Mistake(
        "feeds: { a: { backend: demo, itemKey: /a~2 } }",
        "1:39: feeds.a.itemKey: `/a~2` is not a JSON pointer (RFC 6901); write it as /a/b"),
    Mistake(
        "feeds: { a: { backend: demo, calls: 0, queue: 100001 } }",
        "1:37: feeds.a.calls: 0 is out of range; 1 to 10000",
        "1:47: feeds.a.queue: 100001 is out of range; 0 to 100000"),
    Mistake(
        "feeds: { a: { backend: demo, retry: { attempts: 11, baseMs: 0, capMs: 60001, "
            + "budgetPercent: 101 } } }",
        "1:49: feeds.a.retry.attempts: 11 is out of range; 1 to 10",
        "1:61: feeds.a.retry.baseMs: 0 is out of range; 1 to 60000",
        "1:71: feeds.a.retry.capMs: 60001 is out of range; 1 to 60000",
        "1:93: feeds.a.retry.budgetPercent: 101 is out of range; 0 to 100"),
    Mistake(
        "feeds: { a: { backend: demo, retry: 3 } }",
        "1:37: feeds.a.retry: expected a mapping, found a string"),
    Mistake(
        "feeds: { a: { backend: demo, breaker: { failures: 1001, openMs: 0, openM: 1 } } }",
        "1:68: feeds.a.breaker.openM: unknown key; did you mean `openMs`?",
        "1:51: feeds.a.breaker.failures: 1001 is out of range; 0 to 1000",
        "1:65: feeds.a.breaker.openMs: 0 is out of range; 1 to 600000"),
    // Parameters and headers.
    Mistake(
        "feeds: { a: { backend: worker, paging: page, parameters: [q, q] } }",
        "1:62: feeds.a.parameters: `q` occurs twice"),
    Mistake(
        "feeds: { a: { backend: worker, paging: page, parameters: [\"a b\"] } }",
        "1:59: feeds.a.parameters: `a b`: a name has 1 to 64 letters, digits, `-`, `_` and `.`"),
    Mistake(
        "feeds: { a: { backend: worker, paging: page, parameters: q } }",
        "1:58: feeds.a.parameters: expected a list, found a string"),
    Mistake(
        "feeds: { a: { backend: worker, paging: page, parameters: { q: string } } }",
        "1:63: feeds.a.parameters.q: `string` is not one of text, integer, number, boolean"),
    Mistake(
        "feeds: { a: { backend: worker, paging: page, parameters: { \"a/b\": text } } }",
        "1:60: feeds.a.parameters.a/b: a name has 1 to 64 letters, digits, `-`, `_` and `.`"),
    Mistake(
        "limits: { parametersMax: 1 }\n"
            + "feeds: { a: { backend: worker, paging: page, parameters: [a, b] } }",
        "2:58: feeds.a.parameters: 2 parameters; limits.parametersMax is 1"),
    Mistake(
        "feeds: { a: { backend: worker, paging: page, forward: accept } }",
        "1:55: feeds.a.forward: expected a list, found a string"),
    Mistake(
        "feeds: { a: { backend: worker, paging: page, forward: [Accept-Language] } }",
        "1:56: feeds.a.forward: `Accept-Language`: header names must be in lower case here"),
    Mistake(
        "feeds: { a: { backend: worker, paging: page, forward: [x, \"a b\", x] } }",
        "1:59: feeds.a.forward: `a b`: a header name consists of letters, digits and hyphens",
        "1:66: feeds.a.forward: `x` occurs twice"),
    // Named backends.
    Mistake(
        "backends: { demo: { kind: http } }", "1:13: backends.demo: the name is already in use"),
    Mistake("backends: { b: { } }", "1:13: backends.b: `kind` is missing"),
    Mistake(
        "backends: { b: { kind: htp } }",
        "1:24: backends.b.kind: `htp` is not one of demo, file, http, sqlite, exec, worker, "
            + "script; did you mean `http`?"),
    Mistake(
        "backends: { b: { kind: file, url: u } }",
        "1:30: backends.b.url: not a key of file, but of http"),
    Mistake(
        "backends: { b: { kind: demo, backend: demo } }",
        "1:30: backends.b.backend: unknown key; known keys: kind, size, shared, cache, coolDownMs, "
            + "debounceMs, itemKey, sectionKey, changes, cluster, calls, queue, retry, breaker"),
    Mistake(
        "backends: { b: { kind: demo } }\nfeeds: { a: { backend: b, calls: 3 } }",
        "2:27: feeds.a.calls: applies to all feeds of the backend; set it in backends.b"),
    Mistake(
        "backends: { b: { kind: worker, paging: page } }\n"
            + "feeds: { a: { backend: b, lineBytesMax: 2048 } }",
        "2:27: feeds.a.lineBytesMax: applies to all feeds of the backend; set it in backends.b"),
    Mistake(
        "backends: { b: { kind: demo } }\nfeeds: { a: { backend: b, kind: demo } }",
        "2:27: feeds.a.kind: unknown key; known keys: backend, size, shared, cache, coolDownMs, "
            + "debounceMs, itemKey, sectionKey, changes, cluster"),
    Mistake(
        "backends: { a: { kind: demo } }\nfeeds: { a: { backend: demo } }",
        "2:10: feeds.a: backends.a has the same name; rename the feed, or use that backend: "
            + "`backend: a`"),
    // A mistake in a shared backend is reported once, at the backend, not at each of its feeds.
    Mistake(
        "backends: { b: { kind: demo, size: 0, cache: {} } }\n"
            + "feeds: { a: { backend: b }, c: { backend: b }, d: { backend: b, size: 1001 } }",
        "1:36: backends.b.size: 0 is out of range; 1 to 1000",
        "1:46: backends.b.cache: `lifetimeMs` is missing",
        "2:71: feeds.d.size: 1001 is out of range; 1 to 1000"),
    Mistake(
        "backends: { b: { kind: worker, forward: [HOST] } }",
        "1:42: backends.b.forward: `HOST`: header names must be in lower case here"),
]

/// Headers that no client may supply to any kind of backend. Each header is set by its owner: the
/// daemon or the configuration.
let ownHeaders: [(name: String, owner: String)] =
    [
        "accept-encoding", "connection", "content-encoding", "content-length", "expect",
        "http2-settings", "idempotency-key", "if-none-match", "keep-alive", "proxy-authenticate",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ].map { ($0, "daemon") }
    + [
        "accept", "content-range", "content-type", "host", "if-match", "if-modified-since",
        "if-range", "if-unmodified-since", "range",
    ].map { ($0, "configuration") }
