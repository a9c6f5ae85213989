/// The way to a worker that has connected in. Any thread may call; nothing here blocks.
package protocol WorkerChannel: AnyObject, Sendable {
    /// Sends one message: JSON, for one text frame.
    func send(_ message: [UInt8])

    /// Sends it away: what it said is not understood.
    func refuse(_ fault: WorkerMessageFault)

    /// No load follows: says the rest and ends the connection.
    func part(saying message: [UInt8])
}
