/// An answer that is being written. The library's connection holds it meanwhile.
final class HTTPExchange {
    /// The answer; `bytes[offset...]` is still to be written.
    private let bytes: [UInt8]
    private var offset = 0
    /// Whether the connection is closed after the answer.
    let closesAfter: Bool

    /// Creates the whole answer to `head`.
    init(_ response: HTTPResponse, to head: RequestHead, ending: HTTPHead.Ending) {
        var bytes = HTTPHead.bytes(of: response, ending: ending)
        if head.method != "HEAD" { bytes += response.body }
        self.bytes = bytes
        closesAfter = if case .close = ending { true } else { false }
    }

    /// Whether all bytes were returned by `next`.
    var isDone: Bool { offset == bytes.count }

    /// Returns the next bytes to write, at most `limit`.
    func next(_ limit: Int) -> ArraySlice<UInt8> {
        let end = min(bytes.count, offset + limit)
        defer { offset = end }
        return bytes[offset..<end]
    }
}
