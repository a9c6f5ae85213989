/// The words that libwebsockets searches for at the beginning of each line of a head, and the
/// header names that it misreads because of them.
///
/// libwebsockets compares byte by byte. If a name is only the beginning of one of these words, such
/// as `cook` of `cookie:`, libwebsockets does not see the colon. It takes all text up to the next
/// colon as the name, so the following header is hidden. Some words have no terminator. If a name
/// begins with such a word, libwebsockets treats the name as this word.
enum LibraryNames {
    /// The words in lower case, with their terminators. HTTP/2 names are omitted: they begin with a
    /// colon, unlike header names.
    static let words: [[UInt8]] = [
        "accept-charset:", "accept-encoding:", "accept-language:", "accept-ranges:", "accept:",
        "access-control-allow-origin:", "access-control-request-headers:", "age:", "allow:",
        "authorization:", "cache-control:", "connect ", "connection:", "content-disposition:",
        "content-encoding:", "content-language:", "content-length:", "content-location:",
        "content-range:", "content-type:", "cookie:", "date:", "delete", "etag:", "expect:",
        "expires:", "from:", "get ", "head ", "host:", "http/1.0 ", "http/1.1 ",
        "http2-settings:", "if-match:", "if-modified-since:", "if-none-match:", "if-range:",
        "if-unmodified-since:", "last-modified:", "link:", "location:", "max-forwards:",
        "options ", "origin:", "patch", "post ", "pragma:", "proxy ", "proxy-authenticate:",
        "proxy-authorization:", "put", "range:", "referer:", "refresh:", "replay-nonce:",
        "retry-after:", "sec-websocket-accept:", "sec-websocket-draft:",
        "sec-websocket-extensions:", "sec-websocket-key1:", "sec-websocket-key2:",
        "sec-websocket-key:", "sec-websocket-nonce:", "sec-websocket-origin:",
        "sec-websocket-protocol:", "sec-websocket-version:", "server:", "set-cookie:",
        "strict-transport-security:", "te:", "transfer-encoding:", "upgrade:", "uri-args",
        "user-agent:", "vary:", "via:", "www-authenticate:", "x-auth-token:", "x-forwarded-for:",
        "x-real-ip:",
    ].map { Array($0.utf8) }

    /// Only this number of bytes at the beginning of a name is compared. No word is longer.
    static let countMax = 32

    /// Returns whether libwebsockets misreads a header. `name` contains the first `countMax` bytes
    /// of the header's name, in lower case.
    static func isMisread(_ name: [UInt8]) -> Bool {
        var isPart = false
        for word in words {
            if word.starts(with: name) {
                guard word.count > name.count else { return true }
                if word[name.count] == UInt8(ascii: ":") { return false }
                isPart = true
            } else if !isEnded(word), name.starts(with: word) {
                return true
            }
        }
        return isPart
    }

    /// Returns whether libwebsockets reads the beginning of `method` as a method, and the rest as
    /// the target. `method` contains the first `countMax` bytes of the method, in lower case.
    static func isMisread(method: [UInt8]) -> Bool {
        words.contains { word in
            !isEnded(word) && word.count < method.count && method.starts(with: word)
        }
    }

    private static func isEnded(_ word: [UInt8]) -> Bool {
        word.last == UInt8(ascii: ":") || word.last == UInt8(ascii: " ")
    }
}
