internal import CCurl
internal import RefreshProtocol

/// The headers of a request as a libcurl list of lines. The list is freed with this object.
@safe final class CurlLines {
    private(set) var list: UnsafeMutablePointer<curl_slist>?
    /// Whether libcurl accepted all lines.
    let isComplete: Bool

    init(_ request: HTTPRequest) {
        // libcurl would request `100 Continue` before a large body. This line prevents it from
        // waiting for that answer.
        var lines = ["Expect:"]
        for header in request.headers {
            // A line with an empty value would remove the header. The form with a semicolon sends
            // the header with an empty value.
            let isEmpty = header.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            lines.append(isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
        }
        var list: UnsafeMutablePointer<curl_slist>?
        var isWhole = true
        for line in lines {
            guard let longer = unsafe curl_slist_append(list, line) else {
                isWhole = false
                break
            }
            unsafe list = longer
        }
        unsafe self.list = list
        self.isComplete = isWhole
    }

    deinit { unsafe curl_slist_free_all(list) }
}
