/// An answer that is being written. The connection owns this object until the end of the answer.
final class HTTPExchange {
    /// The answer; `bytes[offset...]` is still to be written.
    private let bytes: [UInt8]
    private var offset = 0
    /// Whether the connection is closed after the answer.
    let closesAfter: Bool
    /// The maximum number of bytes that `next` returns.
    private let partBytesMax: Int

    /// The maximum number of bytes that are passed to libwebsockets in one call. libwebsockets
    /// copies those bytes that the peer does not accept immediately.
    private static let partBytesMax = 65_536

    /// Creates the whole answer to `head`.
    init(_ response: HTTPResponse, to head: RequestHead, ending: HTTPHead.Ending) {
        var bytes = HTTPHead.bytes(of: response, ending: ending)
        if head.method != "HEAD" { bytes += response.body }
        self.bytes = bytes
        closesAfter = if case .close = ending { true } else { false }
        // libwebsockets continues to read after a body. If an answer were written in parts, and
        // bytes followed the body, libwebsockets would read these bytes continuously.
        partBytesMax = head.hasBody ? .max : Self.partBytesMax
    }

    /// Whether all bytes were returned by `next`.
    var isDone: Bool { offset == bytes.count }

    /// Returns the next bytes to write.
    func next() -> ArraySlice<UInt8> {
        let part = bytes[offset...].prefix(partBytesMax)
        offset = part.endIndex
        return part
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

/// A request whose body is being read. Its connection owns this object until the end of the body.
final class AwaitedBody {
    let head: RequestHead
    /// The announced number of bytes.
    private let count: Int
    private(set) var bytes: [UInt8] = []
    private let total: BodyTotal

    init(of head: RequestHead, count: Int, total: BodyTotal) {
        self.head = head
        self.count = count
        self.total = total
        total.bytes += count
    }

    deinit { total.bytes -= count }

    /// Whether all announced bytes have arrived.
    var isComplete: Bool { bytes.count == count }

    /// Appends the next part. Returns false if the body would be longer than announced.
    func append(_ part: UnsafeRawBufferPointer) -> Bool {
        guard part.count <= count - bytes.count else { return false }
        unsafe bytes.append(contentsOf: part)
        return true
    }
}

/// The sum of the announced lengths of a loop's bodies that are being read.
final class BodyTotal {
    fileprivate(set) var bytes = 0
}

/// The identity of a request that will be answered later. It is unique within its loop.
package struct HTTPTicket: Hashable, Sendable {
    let number: UInt64

    /// Creates a ticket for tests and fakes. The transport creates its own tickets.
    package init(number: UInt64) { self.number = number }
}
