import RefreshProtocol
import RefreshServer
import RefreshSession

/// Counts the frames that a session sends, and drops them.
final class CountingChannel: Channel {
    var frames = 0
    var isWritable: Bool { true }
    func send(_ frame: inout ByteBuffer) { frames += 1 }
    func requestWritable() {}
    func setReadingPaused(_ isHeldBack: Bool) {}
    func close(_ code: CloseCode, reason: String) {}
}
