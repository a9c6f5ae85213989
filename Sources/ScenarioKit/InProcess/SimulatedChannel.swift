internal import RefreshProtocol
internal import RefreshServer
internal import RefreshSession

/// A connection without a socket. It queues the frames of the session until the scenario removes
/// them.
final class SimulatedChannel: Channel {
    private var events: [PeerEvent] = []
    /// Whether the session has requested a call of `SessionHost.becameWritable`.
    private(set) var wantsWritable = false
    private(set) var isClosed = false

    var isWritable: Bool { !isClosed }

    func send(_ frame: inout ByteBuffer) {
        guard !isClosed else { return }
        events.append(.frame(String(decoding: frame.bytes, as: UTF8.self)))
    }

    func requestWritable() { wantsWritable = true }
    func setReadingPaused(_ isPaused: Bool) {}

    func close(_ code: CloseCode, reason: String) {
        guard !isClosed else { return }
        isClosed = true
        events.append(.closed(code: code.rawValue, reason: reason))
    }

    /// Removes and returns the oldest event.
    func dequeueEvent() -> PeerEvent? { events.isEmpty ? nil : events.removeFirst() }

    /// Returns whether the session has requested `becameWritable`, and clears that request.
    func consumeWritableRequest() -> Bool {
        defer { wantsWritable = false }
        return wantsWritable
    }
}
