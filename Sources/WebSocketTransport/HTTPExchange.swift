/// An answer that is being written. Held by the library's connection while it lasts.
final class HTTPExchange {
    /// What is left to be written is `bytes[offset...]`.
    private let bytes: [UInt8]
    private var offset = 0
    /// Whether the connection is closed after it.
    let closesAfter: Bool

    /// The whole answer to `head`.
    init(_ response: HTTPResponse, to head: RequestHead, ending: HTTPHead.Ending) {
        var bytes = HTTPHead.bytes(of: response, ending: ending)
        if head.method != "HEAD" { bytes += response.body }
        self.bytes = bytes
        closesAfter = if case .close = ending { true } else { false }
    }

    /// Whether everything was handed out.
    var isDone: Bool { offset == bytes.count }

    /// Hands out the next at most `limit` bytes.
    func next(_ limit: Int) -> ArraySlice<UInt8> {
        let end = min(bytes.count, offset + limit)
        defer { offset = end }
        return bytes[offset..<end]
    }
}
