internal import COpenSSL

/// What OpenSSL's libcrypto does, as the types of this module need it.
package enum LibCrypto {
    /// So many bytes of what cannot fail for input that the caller has checked, but for want of
    /// memory.
    static func filled(
        _ count: Int, by fill: (UnsafeMutablePointer<UInt8>?) -> Int32
    ) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { out, filled in
            precondition(unsafe fill(out.baseAddress) == 1, "libcrypto refused its own work")
            filled = count
        }
    }

    /// Bytes that nobody can foretell.
    static func random(_ count: Int) -> [UInt8] {
        unsafe filled(count) { unsafe copenssl_random($0, count) }
    }

    /// Whether this thread holds a failure that nobody has looked at: the next TLS connection on it
    /// would take it for its own.
    package static var hasForgottenFailure: Bool { ERR_peek_error() != 0 }
}
