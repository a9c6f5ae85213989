internal import COpenSSL

/// A public key of RSA, for signatures of RSASSA-PKCS1-v1_5 with SHA-256. Source: RFC 8017, 8.2.
package struct RSAPublicKey: Sendable {
    private let key: PublicKey

    /// Nil unless they are numbers of a key of 2048 to 8192 bits, highest byte first; its exponent
    /// is odd, more than 1, and has at most 33 bits.
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
