/// An answer that is being written. The connection owns this object until the end of the answer.
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

/// A request that will be answered later. Its connection owns this object until the answer.
final class AwaitedAnswer {
    let ticket: HTTPTicket
    let head: RequestHead
    let ending: HTTPHead.Ending

    init(_ ticket: HTTPTicket, to head: RequestHead, ending: HTTPHead.Ending) {
        self.ticket = ticket
        self.head = head
        self.ending = ending
    }
}

/// The identity of a request that will be answered later. It is unique within its loop.
package struct HTTPTicket: Hashable, Sendable {
    let number: UInt64

    /// Creates a ticket for tests and fakes. The transport creates its own tickets.
    package init(number: UInt64) { self.number = number }
}
