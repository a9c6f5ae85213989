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
