internal import RefreshProtocol

/// A URL with placeholders, from the configuration.
///
/// `{page}`, `{size}`, `{offset}`, `{cursor}` and `{parameter:NAME}` stand in the path or the
/// query, never in scheme or host. What replaces them is percent-encoded whole, so a client's value
/// can neither end the place it stands in nor begin another. Source: docs/backends.md, "http".
package struct URLTemplate: Hashable, Sendable {
    enum Part: Hashable, Sendable {
        case text(String)
        case page, size, offset, cursor
        case parameter(String)
    }

    /// Scheme, host and port; ends before the path.
    private let origin: String
    private let path: [Part]
    /// With its `?`; empty without a query.
    private let query: [Part]

    /// Whether the scheme is `https`.
    let isSecure: Bool

    /// Reads the template; `parameters` are the names that the feed declares.
    package init(_ template: String, parameters: [String]) throws(BackendConfigurationError) {
        for byte in template.utf8 where byte <= 0x20 || byte >= 0x7F {
            throw Self.wrong("may hold printable ASCII only; percent-encode the rest")
        }
        guard !template.utf8.contains(UInt8(ascii: "#")) else {
            throw Self.wrong("must not have a fragment")
        }
        let scheme = ["http://", "https://"].first { template.lowercased().hasPrefix($0) }
        guard let scheme else { throw Self.wrong("must begin with http:// or https://") }
        let host = template.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
        guard !host.isEmpty, !host.contains("{"), !host.contains("@"), !host.contains("\\") else {
            throw Self.wrong("needs a plain host, without placeholders, name or password")
        }
        let rest = template.dropFirst(scheme.count + host.count)
        let pathText = rest.prefix { $0 != "?" }
        self.isSecure = scheme == "https://"
        self.origin = scheme + host
        self.path = try Self.parts(of: pathText.isEmpty ? "/" : pathText, parameters)
        self.query = try Self.parts(of: rest.dropFirst(pathText.count), parameters)
        guard !Self.hasDotSegment(String(pathText)) else {
            throw Self.wrong("must not have a path with . or ..")
        }
    }

    /// The URL of a request; nil if a value would climb in the path (`.` or `..` as a segment).
    package func url(for request: LoadRequest) -> String? {
        let path = Self.expand(path, request)
        guard !Self.hasDotSegment(path) else { return nil }
        return origin + path + Self.expand(query, request)
    }

    private static func expand(_ parts: [Part], _ request: LoadRequest) -> String {
        var url = ""
        for part in parts {
            switch part {
            case .text(let text): url += text
            case .page: url += String(request.page)
            case .size: url += String(request.size)
            case .offset: url += String(request.offset)
            case .cursor: url += percentEncoded(request.cursor ?? "")
            case .parameter(let name):
                url += percentEncoded(request.value(of: name)?.text ?? "")
            }
        }
        return url
    }

    private static func parts(
        of text: Substring, _ parameters: [String]
    ) throws(BackendConfigurationError) -> [Part] {
        var parts: [Part] = []
        var rest = text
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw wrong("has a { without }")
            }
            parts.append(.text(try plain(rest[..<open])))
            parts.append(try placeholder(rest[rest.index(after: open)..<close], parameters))
            rest = rest[rest.index(after: close)...]
        }
        parts.append(.text(try plain(rest)))
        return parts.filter { $0 != .text("") }
    }

    private static func plain(_ text: Substring) throws(BackendConfigurationError) -> String {
        guard !text.contains("}") else { throw wrong("has a } without {") }
        return String(text)
    }

    private static func placeholder(
        _ name: Substring, _ parameters: [String]
    ) throws(BackendConfigurationError) -> Part {
        switch name {
        case "page": return .page
        case "size": return .size
        case "offset": return .offset
        case "cursor": return .cursor
        default:
            let prefix = "parameter:"
            guard name.hasPrefix(prefix) else {
                throw wrong("has the unknown placeholder {\(name)}")
            }
            let parameter = String(name.dropFirst(prefix.count))
            guard parameters.contains(parameter) else {
                throw wrong("uses the parameter \(parameter), which the feed does not declare")
            }
            return .parameter(parameter)
        }
    }

    /// All but RFC 3986's unreserved characters as `%XX`.
    static func percentEncoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes.append(contentsOf: [
                    UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)],
                ])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Servers and libraries resolve `.` and `..`, also when they are written `%2e`.
    private static func hasDotSegment(_ path: String) -> Bool {
        path.split(separator: "/").contains { segment in
            let plain = segment.lowercased().split(
                separator: "%2e", omittingEmptySubsequences: false
            )
            .joined(separator: ".")
            return plain == "." || plain == ".."
        }
    }

    private static func wrong(_ what: String) -> BackendConfigurationError {
        BackendConfigurationError("url", "The URL \(what).")
    }
}
