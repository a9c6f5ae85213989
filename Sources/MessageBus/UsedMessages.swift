internal import CNATS

/// Received messages of libnats that are no longer used. They are released together: libnats frees
/// them on a thread of its own, and would wake that thread for each message.
@safe struct UsedMessages: ~Copyable {
    private var messages: [OpaquePointer] = unsafe []
    private var bytes = 0

    /// The messages are released as soon as there are so many of them, or of their bytes.
    private static let countMax = 64
    private static let bytesMax = 256 << 10

    /// Takes the message over.
    mutating func append(_ message: OpaquePointer) {
        unsafe messages.append(message)
        bytes += Int(unsafe natsMsg_GetDataLength(message))
        guard unsafe messages.count >= Self.countMax || bytes >= Self.bytesMax else { return }
        release()
    }

    private mutating func release() {
        unsafe messages.forEach { unsafe natsMsg_Destroy($0) }
        unsafe messages.removeAll(keepingCapacity: true)
        bytes = 0
    }

    deinit { unsafe messages.forEach { unsafe natsMsg_Destroy($0) } }
}
