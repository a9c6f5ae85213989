import RefreshProtocol

/// The channel of a session without a connection. It drops everything that is sent to it.
final class AbsentChannel: Channel, Sendable {
    static let shared = AbsentChannel()

    var isWritable: Bool { false }
    func send(_ frame: inout ByteBuffer) {}
    func requestWritable() {}
    func setReadingPaused(_ isPaused: Bool) {}
    func close(_ code: CloseCode, reason: String) {}
}
