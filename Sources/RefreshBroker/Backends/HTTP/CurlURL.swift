internal import CCurl

/// libcurl's own opinion of a URL.
enum CurlURL {
    /// Whom a URL asks: two URLs with equal origins reach the same server.
    struct Origin: Hashable {
        var scheme: String
        var host: String
        var port: String
    }

    static func isValid(_ text: String) -> Bool { origin(of: text) != nil }

    /// Nil if the URL cannot be read, or names a user or a password.
    static func origin(of text: String) -> Origin? {
        guard let url = unsafe curl_url() else { return nil }
        defer { unsafe curl_url_cleanup(url) }
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME)
        guard unsafe curl_url_set(url, CURLUPART_URL, text, flags) == CURLUE_OK,
            unsafe part(CURLUPART_USER, of: url) == nil,
            unsafe part(CURLUPART_PASSWORD, of: url) == nil,
            let scheme = unsafe part(CURLUPART_SCHEME, of: url),
            let host = unsafe part(CURLUPART_HOST, of: url)
        else { return nil }
        let port = unsafe part(CURLUPART_PORT, of: url) ?? ""
        return Origin(scheme: scheme.lowercased(), host: host.lowercased(), port: port)
    }

    /// Whether it is `http://HOST:PORT` or `socks5h://HOST:PORT` and nothing else.
    static func isProxy(_ text: String) -> Bool {
        let scheme = ["http://", "socks5h://"].first { text.hasPrefix($0) }
        guard let scheme else { return false }
        let place = text.dropFirst(scheme.count)
        guard let colon = place.lastIndex(of: ":"), colon != place.startIndex,
            let port = UInt16(place[place.index(after: colon)...]), port > 0
        else { return false }
        return !place.contains(where: { "/?#@\\".contains($0) || $0 <= " " }) && isValid(text)
    }

    /// With the port that the scheme says, if the URL itself says none.
    private static func part(_ part: CURLUPart, of url: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let code = unsafe curl_url_get(url, part, &text, UInt32(CURLU_DEFAULT_PORT))
        guard code == CURLUE_OK, let text = unsafe text else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }
}
