extension BusQueue {
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
