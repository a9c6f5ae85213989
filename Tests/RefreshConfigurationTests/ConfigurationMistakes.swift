/// Mistakes in a configuration file and their messages.
let mistakes: [Mistake] = [
    // Unknown or repeated keys, and invalid YAML.
    Mistake("limit: {}", "1:1: limit: unknown key; did you mean `limits`?"),
    Mistake(
        "zebra: 1",
        "1:1: zebra: unknown key; known keys: listen, loops, demo, admin, auth, tokens, tls, "
            + "proxies, resume, cluster, drain, "
            + "origins, limits, log, journal, journalOnRequest, backends, feeds, indicators"
    ),
    Mistake("- a", "1:1: expected a mapping, found a list"),
    Mistake("loops: 1\nloops: 2", "1:1: `loops` occurs more than once in one mapping"),
    Mistake("loops: [1", "2:1: did not find expected ',' or ']'"),
    Mistake("? [a]\n: 1", "1:3: a key must be a scalar"),
    // Types and ranges.
    Mistake("loops: many", "1:8: loops: expected an integer, found `many`"),
    Mistake("loops: \"2\"", "1:8: loops: expected an integer, found \"2\""),
    Mistake("loops: 2.0", "1:8: loops: expected an integer, found `2.0`"),
    Mistake("loops: [2]", "1:8: loops: expected an integer, found a list"),
    Mistake("loops:", "1:7: loops: expected an integer, found nothing"),
    Mistake("loops: 257", "1:8: loops: 257 is out of range; 1 to 256"),
    Mistake("demo: yes", "1:7: demo: expected true or false, found `yes`"),
    Mistake("limits: 5", "1:9: limits: expected a mapping, found a string"),
    Mistake(
        "limits:\n  frameBytesMx: 5000",
        "2:3: limits.frameBytesMx: unknown key; did you mean `frameBytesMax`?"),
    Mistake(
        "limits: { frameBytesMax: 12 }",
        "1:26: limits.frameBytesMax: 12 is out of range; 1024 to 16777216"),
    // Listeners and origins.
    Mistake("listen: 8080", "1:9: listen: `8080` has no port; write ADDRESS:PORT"),
    Mistake("listen: []", "1:9: listen: at least one address is required"),
    Mistake(
        "listen: :8080",
        "1:9: listen: the address is missing; 0.0.0.0 and [::] mean all addresses"),
    Mistake(
        "listen: example.org:80",
        "1:9: listen: `example.org` is not an IP address; the only accepted name is localhost"),
    Mistake(
        "listen: \"::1:80\"", "1:9: listen: write an IPv6 address in brackets: [::1]"),
    Mistake("listen: \"[::1]\"", "1:9: listen: `[::1]` has no port; write ADDRESS:PORT"),
    Mistake("listen: \"[127.0.0.1]:1\"", "1:9: listen: `[127.0.0.1]` is not an IPv6 address"),
    Mistake("listen: 127.0.0.1:65536", "1:9: listen: `65536` is not a port; 0 to 65535"),
    Mistake("listen: 127.0.0.1:+1", "1:9: listen: `+1` is not a port; 0 to 65535"),
    Mistake(
        "listen:\n- 127.0.0.1:80\n- 127.0.0.1:80", "3:3: listen: `127.0.0.1:80` occurs twice"),
    Mistake("origins: https://a", "1:10: origins: expected a list, found a string"),
    Mistake(
        "origins: [\"*\"]",
        "1:11: origins: `*` is not an origin; write scheme://host or scheme://host:port, http or "
            + "https, without wildcards or a path"),
    Mistake(
        "log: { format: jsn }",
        "1:16: log.format: `jsn` is not one of text, json; did you mean `json`?"),
    // Admin listeners.
    Mistake("admin: 8081", "1:8: admin: `8081` has no port; write ADDRESS:PORT"),
    Mistake("admin: []", "1:8: admin: at least one address is required"),
    Mistake("admin: {}", "1:8: admin: expected a list, found a mapping"),
    Mistake(
        "admin: 0.0.0.0:81",
        "1:8: admin: `0.0.0.0:81` can be reached from other machines; use 127.0.0.0/8, [::1] or "
            + "localhost"),
    Mistake(
        "admin: [127.0.0.1:81, \"[::]:81\"]",
        "1:23: admin: `[::]:81` can be reached from other machines; use 127.0.0.0/8, [::1] or "
            + "localhost"),
    Mistake(
        "admin: [127.0.0.1:81, 127.0.0.1:81]", "1:23: admin: `127.0.0.1:81` occurs twice"),
    Mistake(
        "listen: 127.0.0.1:81\nadmin: 127.0.0.1:81",
        "2:8: admin: `127.0.0.1:81` is also in listen"),
]
