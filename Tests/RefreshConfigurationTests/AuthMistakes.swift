/// Mistakes in `auth` and their messages.
let authMistakes: [Mistake] = [
    Mistake("auth: none", "1:7: auth: expected a mapping, found a string"),
    Mistake("auth: {}", "1:7: auth: `mode` is missing"),
    Mistake(
        "auth: { mode: tokn }",
        "1:15: auth.mode: `tokn` is not one of none, token, jwt, http; did you mean `token`?"),
    Mistake(
        "auth: { mode: none, url: \"http://a/\" }",
        "1:21: auth.url: not a key of mode none, but of http"),
    Mistake(
        "auth: { mode: none, jwks: a }", "1:21: auth.jwks: not a key of mode none, but of jwt"),
    Mistake(
        "auth: { mode: none, color: red }", "1:21: auth.color: unknown key; known keys: mode"),
    Mistake("auth: { mode: token }", "1:15: auth.mode: no token in `tokens` permits `connect`"),
    Mistake(
        "auth: { mode: token }\ntokens: [{ name: a, sha256: \(hash), may: [work, administer] }]",
        "1:15: auth.mode: no token in `tokens` permits `connect`"),
    Mistake(
        "feeds: { f: { backend: demo } }\n"
            + "tokens: [{ name: a, sha256: \(hash), may: [administer], feeds: [f] }]",
        "2:121: tokens[0].feeds: a token that may `administer` cannot be limited to feeds"),
    Mistake(
        "feeds: { f: { backend: demo } }\n"
            + "tokens: [{ name: a, sha256: \(hash), may: [measure], feeds: [f] }]",
        "2:118: tokens[0].feeds: a token that may `measure` cannot be limited to feeds"),
    // Mistakes with the mode `jwt`.
    Mistake(
        "auth: { mode: jwt }", "1:7: auth: `algorithms` is missing",
        "1:7: auth: one of `jwks`, `secretFile` is required", "1:7: auth: `audience` is missing"),
    Mistake(
        "auth: { mode: jwt, algorithms: [], jwks: k, audience: a }",
        "1:32: auth.algorithms: at least one of HS256, RS256, ES256 is required"),
    Mistake(
        "auth: { mode: jwt, algorithms: [none], jwks: k, audience: a }",
        "1:33: auth.algorithms: `none` is not one of HS256, RS256, ES256"),
    Mistake(
        "auth: { mode: jwt, algorithms: [ES256, ES256], jwks: k, audience: a }",
        "1:40: auth.algorithms: `ES256` occurs twice"),
    Mistake(
        "auth: { mode: jwt, algorithms: [HS256], jwks: k, secretFile: s, audience: a }",
        "1:62: auth.secretFile: cannot be combined with `jwks`; set one of them"),
    Mistake(
        "auth: { mode: jwt, algorithms: [HS256], secretFile: s, audience: a, skewMs: 300001 }",
        "1:77: auth.skewMs: 300001 is out of range; 0 to 300000"),
    Mistake(
        "auth: { mode: jwt, algorithms: [HS256], secretFile: s, audience: a, isuer: b }",
        "1:69: auth.isuer: unknown key; did you mean `issuer`?"),
    // Mistakes with the mode `http`.
    Mistake("auth: { mode: http }", "1:7: auth: `url` is missing"),
    Mistake(
        "auth: { mode: http, url: \"ftp://a/\" }",
        "1:26: auth.url: The URL must begin with http:// or https://."),
    Mistake(
        "auth: { mode: http, url: \"http://name:secret@a/\" }",
        "1:26: auth.url: The URL must have a plain host, without placeholders or credentials."
    ),
    Mistake(
        "auth: { mode: http, url: \"http://a/{page}\" }",
        "1:26: auth.url: The URL has no placeholders."),
    Mistake(
        "auth: { mode: http, url: \"http://a/\", ca: none.pem }",
        "1:43: auth.ca: There is no such file."),
    Mistake(
        "auth: { mode: http, url: \"http://a/\", deadlineMs: 5001 }",
        "1:51: auth.deadlineMs: 5001 is out of range; 1 to 5000"),
    Mistake(
        "limits: { authDeadlineMs: 10 }\nauth: { mode: http, url: \"http://a/\", deadlineMs: 11 }",
        "2:51: auth.deadlineMs: 11 is out of range; 1 to 10"),
    Mistake(
        "auth: { mode: http, url: \"http://a/\", calls: 0 }",
        "1:46: auth.calls: 0 is out of range; 1 to 10000"),
    Mistake(
        "auth: { mode: http, url: \"http://a/\", forward: [Cookie, connection, cookie, cookie] }",
        "1:49: auth.forward: `Cookie`: header names must be in lower case here",
        "1:57: auth.forward: `connection`: this header is reserved for the daemon",
        "1:77: auth.forward: `cookie` occurs twice"),
]

private let hash = "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8"
