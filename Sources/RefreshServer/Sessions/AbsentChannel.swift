import RefreshProtocol

/// The channel of a session whose connection is gone: it takes nothing.
final class AbsentChannel: Channel, Sendable {
    static let shared = AbsentChannel()

    var isWritable: Bool { false }
    func send(_ frame: inout ByteBuffer) {}
    func requestWritable() {}
    func holdBack(_ isHeldBack: Bool) {}
    func close(_ code: CloseCode, reason: String) {}
}
