internal import COpenSSL

/// Key derivation with HKDF and SHA-256: independent keys from one key. Source: RFC 5869.
package enum HKDFSHA256 {
    /// Derives a key of `byteCount` bytes (at most 255 * 32). An empty salt counts as 32 zero
    /// bytes.
    package static func key(
        from key: SymmetricKey, salt: [UInt8] = [], info: [UInt8], byteCount: Int
    ) -> SymmetricKey {
        unsafe key.withBytes { secret in
            unsafe SymmetricKey(
                LibCrypto.filled(byteCount) {
                    unsafe copenssl_hkdf(
                        secret.baseAddress, secret.count, salt, salt.count, info, info.count, $0,
                        byteCount)
                })
        }
    }
}
