internal import COpenSSL

/// Helpers around OpenSSL's libcrypto that the types of this module share.
package enum LibCrypto {
    /// Returns `count` bytes that `fill` wrote. Callers check their input first, so `fill` fails
    /// only if memory runs out.
    static func filled(
        _ count: Int, by fill: (UnsafeMutablePointer<UInt8>?) -> Int32
    ) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { out, filled in
            precondition(unsafe fill(out.baseAddress) == 1, "a libcrypto call failed")
            filled = count
        }
    }

    /// Random bytes from OpenSSL's generator.
    static func random(_ count: Int) -> [UInt8] {
        unsafe filled(count) { unsafe copenssl_random($0, count) }
    }

    /// Whether OpenSSL's error queue of this thread contains an error. The next TLS connection on
    /// the thread would report such an error as its own.
    package static var hasQueuedError: Bool { ERR_peek_error() != 0 }

    /// Empties OpenSSL's error queue of this thread, where other libraries of the process leave
    /// errors as well.
    package static func clearErrorQueue() { ERR_clear_error() }
}
