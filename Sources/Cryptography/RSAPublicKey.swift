internal import COpenSSL

/// An RSA public key, which verifies RSASSA-PKCS1-v1_5 signatures with SHA-256. Source: RFC 8017,
/// 8.2.
package struct RSAPublicKey: Sendable {
    private let key: PublicKey

    /// Creates a key from two big-endian numbers. The modulus must have 2048 to 8192 bits. The
    /// exponent must be odd and larger than 1, and have at most 33 bits. Returns nil if a number
    /// does not meet these conditions.
    package init?(modulus: [UInt8], exponent: [UInt8]) {
        guard
            let key = unsafe PublicKey(
                copenssl_rsa_key(modulus, modulus.count, exponent, exponent.count))
        else { return nil }
        self.key = key
    }

    package func isSignature(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        unsafe key.withPointer { key in
            unsafe copenssl_rsa_verify(key, signature, signature.count, bytes, bytes.count) == 1
        }
    }
}
