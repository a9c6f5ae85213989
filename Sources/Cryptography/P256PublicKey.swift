internal import COpenSSL

/// A public key on the curve P-256, which verifies ECDSA signatures with SHA-256. Source: FIPS
/// 186-5, 6.
package struct P256PublicKey: Sendable {
    package static let coordinateCount = Int(COPENSSL_COORDINATE_COUNT)

    private let key: PublicKey

    /// Creates a key from the coordinates of a point, 32 bytes each. Returns nil if the point is
    /// not on the curve.
    package init?(x: [UInt8], y: [UInt8]) {
        guard x.count == Self.coordinateCount, y.count == Self.coordinateCount,
            let key = unsafe PublicKey(copenssl_p256_key(x, y))
        else { return nil }
        self.key = key
    }

    /// Whether `signature` is valid for `bytes`. A signature consists of r and s, 32 bytes each
    /// (RFC 7518, 3.4). Any other form, such as DER, is invalid.
    package func isSignature(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        guard signature.count == 2 * Self.coordinateCount else { return false }
        return unsafe key.withPointer { key in
            unsafe copenssl_p256_verify(key, signature, bytes, bytes.count) == 1
        }
    }
}
