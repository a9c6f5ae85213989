internal import CCurl

/// URL parsing by libcurl, so that checks agree with what libcurl requests.
enum CurlURL {
    /// The origin of a URL. Two URLs with equal origins reach the same server.
    struct Origin: Hashable {
        var scheme: String
        var host: String
        var port: String
    }

    static func isValid(_ text: String) -> Bool { origin(of: text) != nil }

    /// Returns the origin, or nil if the URL is invalid or contains a user or a password.
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

    /// Returns whether the text is exactly `http://HOST:PORT` or `socks5h://HOST:PORT`.
    static func isProxy(_ text: String) -> Bool {
        let scheme = ["http://", "socks5h://"].first { text.hasPrefix($0) }
        guard let scheme else { return false }
        let place = text.dropFirst(scheme.count)
        guard let colon = place.lastIndex(of: ":"), colon != place.startIndex,
            let port = UInt16(place[place.index(after: colon)...]), port > 0
        else { return false }
        return !place.contains(where: { "/?#@\\".contains($0) || $0 <= " " }) && isValid(text)
    }

    /// Returns a part of the URL. If the URL has no port, the scheme's default port is used.
    private static func part(_ part: CURLUPart, of url: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let code = unsafe curl_url_get(url, part, &text, UInt32(CURLU_DEFAULT_PORT))
        guard code == CURLUE_OK, let text = unsafe text else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }
}
