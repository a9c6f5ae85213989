/// The words that the library looks for at the beginning of each line of a head, and the names of
/// headers that it misreads for their sake.
///
/// It compares a byte at a time. Where a name ends within one of its words it does not see the
/// colon: it takes all up to the next colon for the name, and the header behind is hidden. Some of
/// its words have no end of their own, and a name that begins with one is taken for that word.
enum LibraryNames {
    /// In small letters, with what ends them. Those of HTTP/2 begin with a colon, as no name does.
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

    /// The bytes of a name that matter: no word is longer.
    static let countMax = 32

    /// Whether the library misreads a header of that name. `name`: in small letters, its first
    /// `countMax` bytes.
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

    /// Whether the library takes the beginning of that method for the whole, and the rest for the
    /// target. `method`: in small letters, its first `countMax` bytes.
    static func isMisread(method: [UInt8]) -> Bool {
        words.contains { word in
            !isEnded(word) && word.count < method.count && method.starts(with: word)
        }
    }

    private static func isEnded(_ word: [UInt8]) -> Bool {
        word.last == UInt8(ascii: ":") || word.last == UInt8(ascii: " ")
    }
}
