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

    /// The wait of the thread that serves the connection.
    struct ServingWait {
        /// Whether the thread waits for its sockets.
        private(set) var isWaiting = false
        /// Whether `wake` was called.
        var isRequestedToEnd = false
        /// Whether something has happened that the thread must handle.
        var mustEnd = false
        /// Whether the eventfd is written to for this wait, and whether that is still to be done.
        private var isSignalled = false
        private var mustSignal = false

        /// Begins the wait, unless there is a reason not to wait.
        mutating func begin(unless isHurried: Bool) {
            isWaiting = !isHurried && !isRequestedToEnd && !mustEnd
        }

        /// Ends the wait if it has begun.
        mutating func signal() {
            guard isWaiting, !isSignalled else { return }
            isSignalled = true
            mustSignal = true
        }

        /// Whether the eventfd must be written to now.
        mutating func removeSignal() -> Bool {
            defer { mustSignal = false }
            return mustSignal
        }
    }
}
