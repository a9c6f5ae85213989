internal import COpenSSL

/// Makes keys of a key: each for its purpose, and none tells of another. Source: RFC 5869.
package enum HKDFSHA256 {
    /// At most 255 digests long; an empty salt is one of zeros.
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
