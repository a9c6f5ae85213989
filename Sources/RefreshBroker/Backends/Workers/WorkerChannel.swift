/// A connection to a worker that has connected to the daemon. Its methods may be called from any
/// thread and do not block.
package protocol WorkerChannel: AnyObject, Sendable {
    /// Sends one message: JSON, for one text frame.
    func send(_ message: [UInt8])

    /// Closes the connection, because a message of the worker is invalid.
    func reject(_ fault: WorkerMessageFault)

    /// Sends a last message and closes the connection. No load follows.
    func close(sending message: [UInt8])
}
