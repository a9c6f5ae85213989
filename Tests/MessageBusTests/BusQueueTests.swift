import Glibc
import Testing

@testable import MessageBus

@Suite("Messages that wait for the socket")
struct BusQueueTests {
    @Test("Each message counts for the limit of bytes, until it is written")
    func limit() throws {
        let queue = try #require(BusQueue())
        queue.open(link: 1, payloadMax: 1 << 20)
        func accepted() -> Int {
            var count = 0
            while count < 200_000, queue.publish([], to: "a", BusEnvelope()) { count += 1 }
            return count
        }
        let messagesMax = (64 << 20) / 512
        #expect(accepted() == messagesMax)
        let removed = queue.removeMessages(bytesMax: 256 << 10)
        #expect(removed.count == 512)
        // The messages in libnats still wait for the socket.
        #expect(accepted() == 0)
        #expect(!queue.isWritten)
        #expect(queue.releaseWritten())
        #expect(accepted() == 512)
        while !queue.removeMessages(bytesMax: 1 << 20).isEmpty {}
        #expect(!queue.isWritten)
        #expect(queue.releaseWritten())
        #expect(queue.isWritten)
        #expect(accepted() == messagesMax)
    }

    @Test("The late loss of an earlier connection does not concern the messages of the next one")
    func lateLoss() throws {
        let queue = try #require(BusQueue())
        queue.open(link: 1, payloadMax: 1 << 20)
        queue.lose(link: 1, reason: "")
        #expect(!queue.publish([1], to: "a", BusEnvelope()))
        queue.open(link: 2, payloadMax: 1 << 20)
        #expect(queue.publish([2], to: "a", BusEnvelope()))
        queue.lose(link: 1, reason: "")
        #expect(queue.publish([3], to: "a", BusEnvelope()))
        queue.close()
        queue.lose(link: 1, reason: "")
        #expect(!queue.publish([4], to: "a", BusEnvelope()))
        #expect(queue.removeMessages(bytesMax: 1 << 20).map(\.bytes) == [[2], [3]])
    }

    @Test("A socket is ended if a wait for the server's answer lasts a second too long, seen twice")
    func overdueWait() throws {
        var sockets: [Int32] = [-1, -1]
        _ = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets)
        defer { sockets.forEach { close($0) } }
        let queue = try #require(BusQueue())
        let socket = try #require(NATSSocket(sockets[0]))
        // The connection is not used here.
        unsafe queue.attach(link: 7, connection: OpaquePointer(bitPattern: 8)!, socket)
        queue.beginFlush(link: 7, untilMs: 10_000)
        #expect(queue.overdueSocket(at: 10_999) == nil)
        // If the process has stood still, the answer may be in the socket.
        #expect(queue.overdueSocket(at: 3_600_000) == nil)
        #expect(queue.overdueSocket(at: 3_600_999) == nil)
        #expect(queue.overdueSocket(at: 3_601_000) === socket)
        queue.endFlush()
        #expect(queue.overdueSocket(at: 4_000_000) == nil)
        queue.beginFlush(link: 8, untilMs: 10_000)
        #expect(queue.overdueSocket(at: 20_000) == nil)
        #expect(queue.overdueSocket(at: 30_000) == nil)
    }

    @Test("Messages are removed in their order, and a large one alone")
    func order() throws {
        let queue = try #require(BusQueue())
        queue.open(link: 1, payloadMax: 1 << 20)
        for size in [10, 20, 5000, 30] {
            #expect(queue.publish([UInt8](repeating: 0, count: size), to: "a", BusEnvelope()))
        }
        let sizes = { queue.removeMessages(bytesMax: 2000).map(\.bytes.count) }
        #expect([sizes(), sizes(), sizes(), sizes()] == [[10, 20], [5000], [30], []])
    }
}
