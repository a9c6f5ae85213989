/// The encoder for the head of an HTTP answer.
struct HTTPHead {
    /// The state of the connection after the answer.
    enum Ending {
        /// The connection is kept open, which is the default of HTTP/1.1.
        case keep
        /// The connection is kept open, and the answer must declare this: the request is HTTP/1.0
        /// with `Connection: keep-alive`.
        case keepExplicitly
        /// The connection is closed after the body.
        case close
    }

    /// The interim answer that requests the body of a request.
    static let continueBytes = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// Returns the status line and headers of `response`, ended by the empty line.
    static func bytes(of response: HTTPResponse, ending: Ending) -> [UInt8] {
        var text = "HTTP/1.1 \(response.status) \(reason(response.status))\r\n"
        for header in response.headers {
            text += "\(printable(header.name)): \(printable(header.value))\r\n"
        }
        text += "content-length: \(response.body.count)\r\n"
        switch ending {
        case .keep: break
        case .keepExplicitly: text += "connection: keep-alive\r\n"
        case .close: text += "connection: close\r\n"
        }
        text += "\r\n"
        return Array(text.utf8)
    }

    /// Returns the header text with spaces instead of control characters, because these could end
    /// the line.
    private static func printable(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else { return text }
        return String(
            decoding: text.utf8.map { $0 < 0x20 || $0 == 0x7f ? 0x20 : $0 }, as: UTF8.self)
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 204: "No Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 413: "Content Too Large"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        default: "Status"
        }
    }
}
