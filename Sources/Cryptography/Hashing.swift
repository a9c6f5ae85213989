internal import COpenSSL

/// The hash function SHA-256. The configuration contains access tokens only as SHA-256 hashes.
/// Source: FIPS 180-4.
package enum SHA256 {
    package static let byteCount = Int(COPENSSL_DIGEST_COUNT)

    /// Returns the digest, 32 bytes.
    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        unsafe LibCrypto.filled(byteCount) { unsafe copenssl_sha256(bytes, bytes.count, $0) }
    }

    /// Compares two digests in constant time.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return unsafe copenssl_equal(left, right, left.count) == 1
    }
}

/// Message authentication with HMAC and SHA-256. Source: RFC 2104.
package enum HMACSHA256 {
    package static func authenticationCode(of bytes: [UInt8], by key: SymmetricKey) -> [UInt8] {
        unsafe key.withBytes { secret in
            unsafe LibCrypto.filled(SHA256.byteCount) {
                unsafe copenssl_hmac(secret.baseAddress, secret.count, bytes, bytes.count, $0)
            }
        }
    }

    /// Returns whether `code` is valid for `bytes`. The comparison takes constant time.
    package static func isValid(_ code: [UInt8], of bytes: [UInt8], by key: SymmetricKey) -> Bool {
        SHA256.areEqual(code, self.authenticationCode(of: bytes, by: key))
    }
}

/// Key derivation with HKDF and SHA-256, which derives independent keys from one key. Source: RFC
/// 5869.
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
