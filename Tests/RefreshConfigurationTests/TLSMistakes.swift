/// Mistakes in `tls` and `proxies` and their messages.
let tlsMistakes: [Mistake] = [
    Mistake("tls: on", "1:6: tls: expected a mapping, found a string"),
    Mistake(
        "tls: {}", "1:6: tls: `certificate` is missing", "1:6: tls: `key` is missing"),
    Mistake(
        "tls: { certificate: a.pem, kye: b.pem }",
        "1:28: tls.kye: unknown key; did you mean `key`?", "1:6: tls: `key` is missing"),
    Mistake(
        "tls: { certificate: none.pem, key: none.key }",
        "1:21: tls.certificate: the file cannot be read: there is no such file"),
    Mistake(
        "tls: { certificate: /dev/null, key: /dev/null }",
        "1:21: tls.certificate: /dev/null cannot be read: it is not a regular file"),
    Mistake(
        "tls: { certificate: /dev/zero, key: /dev/null }",
        "1:21: tls.certificate: /dev/zero cannot be read: it is not a regular file"),
    Mistake("proxies: 10.0.0.1", "1:10: proxies: expected a list, found a string"),
    Mistake("proxies: [proxy.example]", "1:11: proxies: `proxy.example` \(rangeRule)"),
    Mistake("proxies: [10.0.0.1/8]", "1:11: proxies: `10.0.0.1/8` \(rangeRule)"),
    Mistake("proxies: [10.0.0.0/8, 10.0.0.0/8]", "1:23: proxies: `10.0.0.0/8` occurs twice"),
    Mistake(
        "proxies: [\"::1\", \"0:0::1\"]", "1:18: proxies: `0:0::1` occurs twice"),
]

private let rangeRule =
    "is not an address or network; write 10.0.0.7, 10.0.0.0/8, fd00::1 or fd00::/8, with no bits "
    + "beyond the prefix"
