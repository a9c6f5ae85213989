internal import RefreshBackends
internal import RefreshProtocol

/// Sends from the backend's thread to a worker's connection, through the mailbox of the
/// connection's loop.
final class WorkerLink: WorkerChannel {
    private let key: UInt64
    private let post: @Sendable (@escaping @Sendable (WorkerConnections) -> Void) -> Void

    /// `post` runs a job on the loop that owns the connection with the key `key`.
    init(
        key: UInt64,
        post: @escaping @Sendable (@escaping @Sendable (WorkerConnections) -> Void) -> Void
    ) {
        self.key = key
        self.post = post
    }

    func send(_ message: [UInt8]) {
        post { [key] in $0.send(message, to: key) }
    }

    func reject(_ fault: WorkerMessageFault) {
        post { [key] in $0.refuse(fault, at: key) }
    }

    func close(sending message: [UInt8]) {
        post { [key] in
            $0.send(message, to: key)
            $0.close(key, .draining)
        }
    }
}
