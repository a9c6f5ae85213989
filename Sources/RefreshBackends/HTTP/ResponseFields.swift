internal import RefreshBroker
internal import RefreshProtocol

/// The headers of one answer, as far as the backend uses them.
///
/// libcurl passes one header line at a time. The lines form blocks, and each block begins with a
/// status line. Blocks of interim answers (1xx) come before the final block, and trailers come
/// after it.
struct ResponseFields: Hashable, Sendable {
    /// The entity tag as sent, including quotes.
    private(set) var etag: String?
    /// The values of `Link`, in order.
    private(set) var links: [String] = []
    private(set) var contentType: String?
    /// The values of `Cache-Control`, in order.
    private(set) var cacheControl: [String] = []
    /// The time in seconds that the answer has spent in caches.
    private(set) var age = 0
    /// The size of the body as sent, in bytes; 0 if unspecified.
    private(set) var length = 0
    /// The status of the last block.
    private(set) var status = 0
    /// Whether the block of the final answer has ended.
    private(set) var isComplete = false

    private var bytes = 0
    private var codings = 0

    /// The maximum size of all header lines of an answer together, in bytes.
    private static let bytesMax = 262_144
    /// The maximum length of a tag in bytes. A longer tag is ignored.
    private static let etagBytesMax = 1024

    /// Handles a line with its line end. Throws if the answer cannot be used because of this line.
    mutating func handleLine(_ line: [UInt8]) throws(LoadFailure) {
        bytes += line.count
        guard bytes <= Self.bytesMax else {
            throw LoadFailure(
                .backendAnswerTooLarge, "The headers are larger than \(Self.bytesMax) bytes.")
        }
        guard !isComplete else { return }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") { return beginBlock(text) }
        guard !text[...].trimmed.isEmpty else {
            isComplete = status >= 200
            return
        }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return }
        let value = String(text[text.utf8.index(after: colon)...].trimmed)
        try setField(text[..<colon].lowercased(), value)
    }

    private mutating func beginBlock(_ line: String) {
        let count = bytes
        self = ResponseFields()
        bytes = count
        status = line.split(separator: " ").dropFirst().first.flatMap { Int($0.trimmed) } ?? 0
    }

    private mutating func setField(_ name: String, _ value: String) throws(LoadFailure) {
        switch name {
        case "etag":
            etag = Self.isTag(value) ? value : nil
        case "content-type":
            contentType = value
        case "link":
            links.append(value)
        case "cache-control":
            cacheControl.append(value)
        case "content-length":
            length = Int(value) ?? length
        case "age":
            age = max(0, Int(value) ?? 0)
        case "content-encoding":
            // Only one coding is allowed, because nested codings could cause unlimited work with a
            // few bytes.
            guard codings == 0 else {
                throw Self.malformed("The answer has more than one content coding.")
            }
            guard Self.isCoding(value) else {
                throw Self.malformed("The answer has a content coding that was not requested.")
            }
            codings += 1
        case "transfer-encoding":
            guard ["chunked", "identity"].contains(value.lowercased()) else {
                throw Self.malformed("The answer has a transfer coding other than `chunked`.")
            }
        default:
            break
        }
    }

    private static func malformed(_ message: String) -> LoadFailure {
        LoadFailure(.backendAnswerMalformed, message)
    }

    private static func isCoding(_ value: String) -> Bool {
        ["gzip", "x-gzip", "deflate", "identity", ""].contains(value.lowercased())
    }

    /// Returns whether a value is an entity tag that the backend uses. The tag must be quoted, and
    /// can be weak. A tag that is too long, or that contains other bytes than visible ASCII, is
    /// ignored. Source: RFC 9110, 8.8.3.
    private static func isTag(_ value: String) -> Bool {
        let opaque = value.hasPrefix("W/") ? value.dropFirst(2) : value[...]
        return opaque.utf8.count >= 2 && opaque.utf8.count <= etagBytesMax
            && opaque.hasPrefix("\"") && opaque.hasSuffix("\"")
            && opaque.dropFirst().dropLast().utf8.allSatisfy {
                $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"")
            }
    }
}

extension Substring {
    /// The text without spaces and control characters at its ends.
    fileprivate var trimmed: Substring {
        var rest = self
        while let first = rest.utf8.first, first <= 0x20 { rest = rest.dropFirst() }
        while let last = rest.utf8.last, last <= 0x20 { rest = rest.dropLast() }
        return rest
    }
}
