extension BusQueue {
    /// A command for the connection's own thread.
    enum Command: Sendable {
        case subscribe(BusSubscription)
        /// The connection with this number in `NATSLinkTable` is lost.
        case lost(link: UInt, reason: String)
    }

    /// The socket of a link, as libnats has handed it over.
    @safe struct Socket {
        let link: UInt
        let connection: OpaquePointer
        let socket: NATSSocket
        /// Whether libnats waits for the socket to be readable, and writable.
        var reads = true
        var writes = false
        var subscriptions: [OpaquePointer] = unsafe []
    }

    /// The memory of a message that waits, in bytes, in addition to its contents.
    static let messageBytes = 512

    /// A message that waits to be published.
    struct Message: Sendable {
        let bytes: [UInt8]
        let subject: String
        let envelope: BusEnvelope

        /// The bytes that count until the message is written.
        var size: Int { bytes.count + envelope.headerBytes + messageBytes }
    }
}
