internal import Synchronization

/// The messages of the bus that wait for the thread of a `WorkerBackend`. Their bytes have a limit,
/// because anyone with credentials for the bus can send messages. Any thread may use it.
final class BusBacklog: Sendable {
    /// The maximum number of bytes of the messages that wait.
    private static let bytesMax = 67_108_864
    /// The memory in bytes of a message that waits, in addition to its contents.
    private static let messageBytes = 512

    private let waitingBytes = Atomic<Int>(0)
    private let dropped = Atomic<Int>(0)

    /// Adds a message with this number of bytes. Returns false if the message must be dropped.
    func add(_ bytes: Int) -> Bool {
        let size = bytes + Self.messageBytes
        let waiting = waitingBytes.add(size, ordering: .relaxed).newValue
        guard waiting > Self.bytesMax else { return true }
        waitingBytes.subtract(size, ordering: .relaxed)
        dropped.add(1, ordering: .relaxed)
        return false
    }

    /// Removes a message with this number of bytes.
    func remove(_ bytes: Int) {
        waitingBytes.subtract(bytes + Self.messageBytes, ordering: .relaxed)
    }

    /// The number of messages that were dropped.
    var droppedCount: Int { dropped.load(ordering: .relaxed) }
}
