import Testing

@testable import RefreshServer

@Suite("Logging")
struct LoggingTests {
    static let hostile = LogLine(
        time: "T", level: "debug", message: "upgrade refused",
        metadata: [
            ("host", "a b"), ("path", "/\n{\"level\":\"critical\"}"), ("peer", "::1"),
            ("reason", ""), ("origin", "\u{1b}[2J\u{2028}\u{202e}é"),
        ])

    @Test("In the text format, a peer cannot inject log lines")
    func text() {
        #expect(
            Self.hostile.text
                == #"T debug upgrade refused host="a b" path="/\n{\"level\":\"critical\"}" peer=::1 reason="" origin="\u001b[2J\u2028\u202eé""#
        )
    }

    @Test("Control characters are escaped, and line feeds are kept only on request")
    func legible() {
        #expect(LogLine.escapingControlCharacters(in: #"a "b" = é"#) == #"a "b" = é"#)
        #expect(
            LogLine.escapingControlCharacters(in: "a\n\u{1B}[31m\u{9B}\t")
                == #"a\n\u001b[31m\u009b\t"#)
        #expect(LogLine.escapingControlCharacters(in: "a\n\r", keepsLines: true) == "a\n" + #"\r"#)
    }

    @Test("In the JSON format, a peer cannot inject log lines")
    func json() {
        #expect(
            Self.hostile.json
                == #"{"time":"T","level":"debug","message":"upgrade refused","host":"a b","path":"/\n{\"level\":\"critical\"}","peer":"::1","reason":"","origin":"\u001b[2J\u2028\u202eé"}"#
        )
    }

    @Test(
        "Times are formatted in UTC",
        arguments: [
            (0, "1970-01-01T00:00:00.007Z"), (951_782_399, "2000-02-28T23:59:59.007Z"),
            (951_782_400, "2000-02-29T00:00:00.007Z"), (951_868_800, "2000-03-01T00:00:00.007Z"),
            (1_709_164_800, "2024-02-29T00:00:00.007Z"),
            (1_795_262_400, "2026-11-21T12:00:00.007Z"),
            (4_107_542_400, "2100-03-01T00:00:00.007Z"),
        ])
    func time(seconds: Int, text: String) {
        #expect(UTCTime(seconds: seconds, milliseconds: 7).description == text)
        let last = text.replacing(".007Z", with: ".999Z")
        #expect(UTCTime(seconds: seconds, milliseconds: 999).description == last)
    }
}
