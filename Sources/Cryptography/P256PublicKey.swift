internal import COpenSSL

/// A public key of the curve P-256, for signatures of ECDSA with SHA-256. Source: FIPS 186-5, 6.
package struct P256PublicKey: Sendable {
    package static let coordinateCount = Int(COPENSSL_COORDINATE_COUNT)

    private let key: PublicKey

    /// Nil unless they are the coordinates of a point of the curve, 32 bytes each.
    package init?(x: [UInt8], y: [UInt8]) {
        guard x.count == Self.coordinateCount, y.count == Self.coordinateCount,
            let key = unsafe PublicKey(copenssl_p256_key(x, y))
        else { return nil }
        self.key = key
    }

    /// Whether `signature` is r and s, one behind the other, 32 bytes each: RFC 7518, 3.4. In any
    /// other form it is none.
    package func isSignature(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        guard signature.count == 2 * Self.coordinateCount else { return false }
        return unsafe key.withPointer { key in
            unsafe copenssl_p256_verify(key, signature, bytes, bytes.count) == 1
        }
    }
}
