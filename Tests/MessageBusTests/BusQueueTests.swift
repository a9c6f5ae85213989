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

    @Test("Only the calls of wake since the last clearing end the next wait")
    func wake() throws {
        let queue = try #require(BusQueue())
        func mayWait() -> Bool {
            defer {
                var events: [BusEvent] = []
                queue.endWaiting(into: &events)
            }
            return queue.beginWaiting(isFull: false).mayWait
        }
        #expect(mayWait())
        queue.wake()
        queue.clearWake()
        #expect(mayWait())
        queue.clearWake()
        queue.wake()
        #expect(!mayWait())
        #expect(mayWait())
        // A message waits to be written.
        queue.open(link: 1, payloadMax: 1 << 20)
        _ = mayWait()
        #expect(queue.publish([1], to: "a", BusEnvelope()))
        queue.clearWake()
        #expect(!mayWait())
        _ = queue.removeMessages(bytesMax: 1 << 20)
        #expect(queue.releaseWritten())
        #expect(mayWait())
        // What the connection reports is no call of `wake`.
        queue.report(.failed(reason: ""))
        queue.clearWake()
        #expect(!mayWait())
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

    @Test("A connection ends if a wait for the server's answer lasts a second too long")
    func overdueWait() throws {
        var sockets: [Int32] = [-1, -1]
        _ = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets)
        defer { sockets.forEach { close($0) } }
        let queue = try #require(BusQueue())
        let socket = try #require(NATSSocket(sockets[0]))
        // The connection is not used here.
        unsafe queue.attach(link: 7, connection: OpaquePointer(bitPattern: 8)!, socket)
        queue.open(link: 7, payloadMax: 1 << 20)
        /// Whether the other end of the socket sees the end of the connection.
        func isEnded() -> Bool {
            var byte: UInt8 = 0
            return unsafe recv(sockets[1], &byte, 1, Int32(MSG_DONTWAIT)) == 0
        }
        queue.beginFlush(link: 7, 2000, at: 10_000)
        queue.endOverdueFlush(at: 12_999, restarts: false)
        // This thread was busy, so libnats may have begun to wait only now.
        queue.endOverdueFlush(at: 60_000, restarts: true)
        queue.endOverdueFlush(at: 62_999, restarts: false)
        #expect(!isEnded() && queue.receive(untilMs: 0).commands.isEmpty)
        queue.endOverdueFlush(at: 63_000, restarts: false)
        #expect(isEnded())
        #expect(!queue.publish([1], to: "a", BusEnvelope()))
        let isLost =
            if case .lost(7, _)? = queue.receive(untilMs: 0).commands.first { true } else { false }
        #expect(isLost)
        // A wait that has ended, and that of another connection, end nothing.
        queue.endFlush()
        queue.endOverdueFlush(at: 90_000, restarts: false)
        queue.beginFlush(link: 8, 1000, at: 90_000)
        queue.endOverdueFlush(at: 99_000, restarts: false)
        #expect(queue.receive(untilMs: 0).commands.isEmpty)
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
