internal import RefreshProtocol
internal import RefreshServer

/// A connection without a socket: what the session sends waits here for the scenario.
final class SimulatedChannel: Channel {
    private var events: [PeerEvent] = []
    /// Whether the session asked for `becameWritable`.
    private(set) var wantsWritable = false
    private(set) var isClosed = false

    var isWritable: Bool { !isClosed }

    func send(_ frame: inout ByteBuffer) {
        guard !isClosed else { return }
        events.append(.frame(String(decoding: frame.bytes, as: UTF8.self)))
    }

    func requestWritable() { wantsWritable = true }
    func holdBack(_ isHeldBack: Bool) {}

    func close(_ code: CloseCode, reason: String) {
        guard !isClosed else { return }
        isClosed = true
        events.append(.closed(code: code.rawValue, reason: reason))
    }

    /// What was sent first and not taken yet.
    func take() -> PeerEvent? { events.isEmpty ? nil : events.removeFirst() }

    /// Whether the session asked to be told, and forgets that it did.
    func takeWritableRequest() -> Bool {
        defer { wantsWritable = false }
        return wantsWritable
    }
}
