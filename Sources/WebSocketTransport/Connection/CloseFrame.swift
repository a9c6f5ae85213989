import CLWS

/// The code and reason of a close frame.
final class CloseFrame {
    private let code: UInt16
    private let reason: [UInt8]

    /// Creates the frame. The reason is truncated at a character boundary to the 123 bytes that RFC
    /// 6455 allows.
    init(code: UInt16, reason: String) {
        var bytes: [UInt8] = []
        for character in reason {
            let next = character.utf8
            guard bytes.count + next.count <= 123 else { break }
            bytes.append(contentsOf: next)
        }
        self.code = code
        self.reason = bytes
    }

    /// Returns whether the reason in the payload of a received close frame is valid UTF-8.
    static func hasValidReason(_ payload: UnsafeRawBufferPointer) -> Bool {
        guard payload.count > 2 else { return true }
        var check = UTF8Check()
        return unsafe check.validate(UnsafeRawBufferPointer(rebasing: payload[2...]))
            && check.isComplete
    }

    /// Returns the code and the reason in the payload of a received close frame. The code is 1005
    /// if the frame has none.
    static func content(of payload: UnsafeRawBufferPointer) -> (code: UInt16, reason: String) {
        guard payload.count >= 2 else { return (1_005, "") }
        let code = unsafe UInt16(payload[0]) << 8 | UInt16(payload[1])
        return unsafe (code, String(decoding: payload[2...], as: UTF8.self))
    }

    /// Writes the close frame, which must be the last written frame. The peer must answer it within
    /// five seconds. Returns false if the connection accepts no more data.
    ///
    /// libwebsockets could write the frame itself, after `lws_close_reason` and a callback that
    /// returns -1. But Debian's build of libwebsockets contains debugging checks, and after such a
    /// callback this build on libuv closes the connection twice in a row. The second close cuts the
    /// connection before the frame is sent.
    func send(on wsi: OpaquePointer) -> Bool {
        let head = Connection.headroom
        let count = reason.count + 2
        let isWritten = unsafe withUnsafeTemporaryAllocation(
            of: UInt8.self, capacity: head + count
        ) { buffer in
            guard let start = buffer.baseAddress else { return false }
            let payload = unsafe start + head
            unsafe payload[0] = UInt8(code >> 8)
            unsafe payload[1] = UInt8(code & 0xff)
            for (index, byte) in reason.enumerated() { unsafe payload[2 + index] = byte }
            return unsafe lws_write(wsi, payload, count, clws_write_close()) >= 0
        }
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_ACK, 5)
        return isWritten
    }
}
