/// Hostile client values. Each must replace its placeholder and change nothing else.
enum InjectionStrings {
    static let all = [
        "a b", "a&size=9999", "x#y", "?z", "/../admin", "../../etc/passwd",
        "a/..", "../../admin", "..\\admin", "a/./b", "..", ".", "a/..b", "%2e%2e%2f", "%00",
        "a\r\nHost: evil", "%0d%0aX-Evil: 1", "\r\n\r\nGET / HTTP/1.1\r\n", "a\nb", "\u{0}",
        "a\u{0}b", "é😀", "e\u{301}", "\u{202E}gpj", "\u{2028}", "a+b", "http://evil/",
        "@evil:80/", "\\\\evil\\x", "{page}", "{parameter:q}", "{{", "}}", "\"'<>\\^`{|}",
        "\",\"admin\":true,\"x\":\"", "\\u0022", "\\", "a=b;c", ";rm -rf /", "$(id)", "\u{7f}",
        "\u{FEFF}", String(repeating: "é\"%&", count: 2_000),
    ]
}
