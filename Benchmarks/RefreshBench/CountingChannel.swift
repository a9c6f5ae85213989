import RefreshProtocol
import RefreshServer
import RefreshSession

/// Counts what a session sends, and keeps none of it.
final class CountingChannel: Channel {
    var frames = 0
    var isWritable: Bool { true }
    func send(_ frame: inout ByteBuffer) { frames += 1 }
    func requestWritable() {}
    func setReadingPaused(_ isHeldBack: Bool) {}
    func close(_ code: CloseCode, reason: String) {}
}
