internal import CCurl

/// libcurl's own opinion of a URL.
enum CurlURL {
    static func isValid(_ text: String) -> Bool {
        guard let url = unsafe curl_url() else { return false }
        defer { unsafe curl_url_cleanup(url) }
        return unsafe curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK
    }
}
