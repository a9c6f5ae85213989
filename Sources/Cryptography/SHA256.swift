internal import COpenSSL

/// The hash by which tokens stand in the configuration. Source: FIPS 180-4.
package enum SHA256 {
    package static let byteCount = Int(COPENSSL_DIGEST_COUNT)

    /// 32 bytes.
    package static func digest(of bytes: [UInt8]) -> [UInt8] {
        unsafe LibCrypto.filled(byteCount) { unsafe copenssl_sha256(bytes, bytes.count, $0) }
    }

    /// Whether two digests are the same; takes as long whatever they are.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return unsafe copenssl_equal(left, right, left.count) == 1
    }
}
