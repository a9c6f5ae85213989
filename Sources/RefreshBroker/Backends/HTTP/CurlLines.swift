internal import CCurl
internal import RefreshProtocol

/// A request's headers as libcurl takes them: a list of lines, freed with this object.
@safe final class CurlLines {
    private(set) var list: UnsafeMutablePointer<curl_slist>?
    /// Whether libcurl took all of them.
    let isWhole: Bool

    init(_ request: HTTPRequest) {
        // No waiting for `100 Continue`: libcurl would ask for it before a large body.
        var lines = ["Expect:"]
        for header in request.headers {
            // A value without anything would take the header away.
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
        self.isWhole = isWhole
    }

    deinit { unsafe curl_slist_free_all(list) }
}
