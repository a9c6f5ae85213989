import CLWS
import Testing

@testable import WebSocketTransport

@Suite struct HeadCheckTests {
    /// Returns the verdict on a text that is read in pieces of `size` bytes. Bytes after a complete
    /// head are not read.
    private func verdict(_ text: String, piecesOf size: Int = .max) -> HeadCheck.Verdict {
        verdict(Array(text.utf8), piecesOf: size)
    }

    private func verdict(_ bytes: [UInt8], piecesOf size: Int = .max) -> HeadCheck.Verdict {
        var check = HeadCheck()
        var read = 0
        while read < bytes.count {
            let piece = Array(bytes[read..<min(bytes.count, read + min(size, bytes.count))])
            switch check.read(piece.span) {
            case .unfinished: read += piece.count
            case .whole(let count): return .whole(count: read + count)
            case .malformed: return .malformed
            }
        }
        return .unfinished
    }

    private static let wellFormed = [
        "GET / HTTP/1.1\r\n\r\n",
        "GET /a?b=c&d HTTP/1.0\r\nHost: a\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost:\r\nX-Empty: \t \r\nx!#$%&'*+-.^_`|~9: a:b, \"c\"\r\n\r\n",
        "BREW http://a/ HTTP/9.9\r\nZ:b\r\n\r\n",
        "GET /%20%2f%0%0b%00%1b%7f%a0%0?%%%25 HTTP/1.1\r\n\r\n", "DELETE / HTTP/1.1\r\n\r\n",
        "PUT / HTTP/1.1\r\n\r\n", "PATCH / HTTP/1.1\r\n\r\n", "GETS / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nZ: é ÿ\r\n\r\n",
    ]

    @Test(
        "A well-formed head is complete at its empty line, in pieces of any size",
        arguments: wellFormed)
    func accepts(_ text: String) {
        let bytes = Array(text.utf8)
        for size in [1, 2, 7, .max] {
            #expect(verdict(text + "GET", piecesOf: size) == .whole(count: bytes.count))
        }
        for count in 0..<bytes.count { #expect(verdict(Array(bytes[..<count])) == .unfinished) }
    }

    private static let malformed = [
        "a line without a colon": "GET / HTTP/1.1\r\nfoo\r\nOrigin: https://a\r\n\r\n",
        "a last line without a colon": "GET / HTTP/1.1\r\nfoo\r\n\r\n",
        "a blank before the colon": "GET / HTTP/1.1\r\nOrigin : https://a\r\n\r\n",
        "two blanks before the colon": "GET / HTTP/1.1\r\nContent-Length  : 5\r\n\r\n",
        "a tab before the colon": "GET / HTTP/1.1\r\nContent-Length\t: 5\r\n\r\n",
        "a blank in the name of a header": "GET / HTTP/1.1\r\nContent Length: 5\r\n\r\n",
        "a header without a name": "GET / HTTP/1.1\r\n: 5\r\n\r\n",
        "a header name that is not ASCII": "GET / HTTP/1.1\r\né: 5\r\n\r\n",
        "a folded line": "GET / HTTP/1.1\r\nZ: b\r\n c\r\n\r\n",
        "a line folded with a tab": "GET / HTTP/1.1\r\nZ: b\r\n\tc\r\n\r\n",
        "a bare CR in a value": "GET / HTTP/1.1\r\nZ: b\rOrigin: c\r\n\r\n",
        "a bare LF": "GET / HTTP/1.1\nHost: a\n\n",
        "a bare LF in a value": "GET / HTTP/1.1\r\nZ: b\nOrigin: c\r\n\r\n",
        "a NUL": "GET / HTTP/1.1\r\nZ: b\0\r\n\r\n",
        "a DEL": "GET / HTTP/1.1\r\nZ: b\u{7f}\r\n\r\n",
        "an empty line before the request line": "\r\nGET / HTTP/1.1\r\n\r\n",
        "no version in the request line": "GET /\r\n\r\n",
        "two blanks after the method": "GET  / HTTP/1.1\r\n\r\n",
        "an escaped LF in the target": "GET /a?%0az HTTP/1.1\r\nHost: a\r\n\r\n",
        "an escaped CR in the target": "GET /%0D HTTP/1.1\r\nHost: a\r\n\r\n",
        "an escaped LF after a percent sign": "GET /%%0A HTTP/1.1\r\nHost: a\r\n\r\n",
        "a method that begins with a known method": "PUTS / HTTP/1.1\r\nHost: a\r\n\r\n",
        "a method after another method and an escaped LF":
            "PUT%0aGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "a blank in the path": "GET /a b HTTP/1.1\r\n\r\n",
        "a blank after the version": "GET / HTTP/1.1 \r\n\r\n",
        "a version with a letter": "GET / HTTP/a.1\r\n\r\n",
        "no method": " / HTTP/1.1\r\n\r\n",
        "a TLS handshake": "\u{16}\u{3}\u{1}\u{0}\u{5}",
    ]

    @Test(
        "A head with a header name that libwebsockets misreads is malformed"
    )
    func misread() {
        for name in [
            "c", "Acc", "X-Forwarded", "x-forwarded-fo", "ORIGI", "Content", "get", "Connect",
            "http", "uri-args", "uri-argsy", "put", "patches",
        ] {
            let text = "GET / HTTP/1.1\r\n\(name): a\r\nOrigin: b\r\n\r\n"
            for size in [1, .max] {
                #expect(verdict(text, piecesOf: size) == .malformed, "\(name)")
            }
        }
        for name in [
            "Accept", "TE", "X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "Hostess", "Z",
            "Sec-WebSocket-Key", "Connections", "uri_args", "Upgrade-Insecure-Requests",
            "Sec-Fetch-Mode", "Access-Control-Request-Method", "DNT", "Priority",
            String(repeating: "a", count: 300),
        ] {
            let text = "GET / HTTP/1.1\r\n\(name): a\r\n\r\n"
            #expect(verdict(text) == .whole(count: text.utf8.count), "\(name)")
        }
    }

    @Test("LibraryNames contains exactly the header names of the linked libwebsockets")
    func headerNames() {
        var words: Set<[UInt8]> = []
        var index: UInt32 = 0
        while let word = unsafe lws_token_to_string(lws_token_indexes(rawValue: index)) {
            let bytes = unsafe Array(String(cString: word).utf8)
            // A word cannot be a header name if its first byte is not allowed in names.
            if let first = bytes.first, HeaderText.isTokenByte(first) { words.insert(bytes) }
            index += 1
        }
        #expect(words.count > 60)
        #expect(words == Set(LibraryNames.words))
        #expect(words.allSatisfy { $0.count <= LibraryNames.countMax })
    }

    @Test(
        "A head with an invalid line is malformed, in pieces of any size",
        arguments: malformed.keys.sorted())
    func refuses(_ name: String) throws {
        let text = try #require(Self.malformed[name])
        for size in [1, 3, .max] { #expect(verdict(text, piecesOf: size) == .malformed) }
    }

    @Test("An `Upgrade` header is recognized in upper and lower case")
    func upgrades() {
        for (line, isUpgrade) in [
            ("Upgrade: websocket", true), ("UPGRADE:x", true), ("upgrade:", true),
            ("Upgrade-Insecure-Requests: 1", false), ("X-Upgrade: websocket", false),
            ("Upgrad: websocket", false), ("Z: Upgrade: websocket", false),
        ] {
            var check = HeadCheck()
            _ = check.read(Array("GET / HTTP/1.1\r\n\(line)\r\nHost: a\r\n\r\n".utf8).span)
            #expect(check.asksForUpgrade == isUpgrade, "\(line)")
        }
    }
}
