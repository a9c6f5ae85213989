internal import RefreshBroker
internal import RefreshProtocol

/// A configured URL with placeholders.
///
/// Placeholders may be in the path or the query, but not in scheme, host or port. The values are
/// fully percent-encoded, so a client's value stays within its part of the URL. Source:
/// docs/backends.md, "http".
struct URLTemplate: Hashable, Sendable {
    /// The scheme, the host and the port. It ends before the path.
    private let origin: String
    private let path: TemplateText
    /// The query with its `?`. Empty if there is no query.
    private let query: TemplateText

    /// Parses the template. `parameters` are the names that the feed declares.
    init(_ template: String, parameters: [String]) throws(BackendConfigurationError) {
        for byte in template.utf8 where byte <= 0x20 || byte >= 0x7F {
            throw Self.invalidURL("may contain printable ASCII only; percent-encode the rest")
        }
        guard !template.utf8.contains(UInt8(ascii: "#")) else {
            throw Self.invalidURL("must not have a fragment")
        }
        let scheme = ["http://", "https://"].first { template.lowercased().hasPrefix($0) }
        guard let scheme else { throw Self.invalidURL("must begin with http:// or https://") }
        let host = template.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
        guard !host.isEmpty, !host.contains("{"), !host.contains("@"), !host.contains("\\") else {
            throw Self.invalidURL("must have a plain host, without placeholders or credentials")
        }
        let rest = template.dropFirst(scheme.count + host.count)
        // An incomplete escape is rejected, because the text of a value could complete it
        // unintentionally.
        guard Self.hasWholeEscapes(rest) else {
            throw Self.invalidURL("has a % without two hexadecimal digits after it")
        }
        let path = rest.prefix { $0 != "?" }
        self.origin = scheme + host
        self.path = try TemplateText(
            path.isEmpty ? "/" : path, parameters: parameters, key: "url")
        self.query = try TemplateText(
            rest.dropFirst(path.count), parameters: parameters, key: "url")
        guard !Self.hasDotSegment(String(path)) else {
            throw Self.invalidURL("must not have a path with . or ..")
        }
    }

    /// Returns the URL of a request. Returns nil if a value would create a segment `.` or `..` in
    /// the path. Slashes and backslashes within a value also separate segments.
    func url(for request: LoadRequest) -> String? {
        let path = path.expanded(for: request) { PercentEncoding.encoded($0) }
        guard !Self.hasDotSegment(path) else { return nil }
        return origin + path + query.expanded(for: request) { PercentEncoding.encoded($0) }
    }

    /// Returns whether the path has a segment `.` or `..`, which servers, libraries and proxies
    /// resolve. Some servers first decode `%2e`, `%2f` and `%5c`, or treat a backslash as a slash.
    /// This check does both.
    private static func hasDotSegment(_ path: String) -> Bool {
        let isSlash = { (byte: UInt8) in byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") }
        return percentDecoded(path.utf8).split(whereSeparator: isSlash).contains { segment in
            segment.count <= 2 && segment.allSatisfy { $0 == UInt8(ascii: ".") }
        }
    }

    /// Decodes each `%XX`. Any other `%` stays unchanged.
    private static func percentDecoded(_ text: String.UTF8View) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                bytes.append(UInt8(digits[0] * 16 + digits[1]))
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    private static func hasWholeEscapes(_ text: Substring) -> Bool {
        text.split(separator: "%", omittingEmptySubsequences: false).dropFirst().allSatisfy {
            $0.prefix(2).allSatisfy(\.isHexDigit) && $0.count >= 2
        }
    }

    private static func invalidURL(_ what: String) -> BackendConfigurationError {
        BackendConfigurationError("url", "The URL \(what).")
    }
}
