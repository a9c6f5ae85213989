import CLWS

/// The code and reason a connection is to be closed with.
final class Farewell {
    private let code: UInt16
    private let reason: [UInt8]

    /// The reason is cut at a character, to the 123 bytes that RFC 6455 leaves for it.
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

    /// Hands both to the library, which sends them when the callback around this call returns -1.
    func say(on wsi: OpaquePointer) {
        var reason = reason
        unsafe reason.withUnsafeMutableBufferPointer { bytes in
            unsafe lws_close_reason(
                wsi, lws_close_status(rawValue: lws_close_status.RawValue(code)),
                bytes.baseAddress, bytes.count)
        }
    }
}
