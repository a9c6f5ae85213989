internal import CCrypto

/// The hash by which tokens stand in the configuration. Source: FIPS 180-4.
enum SHA256 {
    static let byteCount = 32

    /// 32 bytes.
    static func digest(of bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: byteCount)
        unsafe ccrypto_sha256(bytes, bytes.count, &digest)
        return digest
    }

    /// Whether two digests are the same; takes as long whatever they are.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return unsafe ccrypto_differs(left, right, left.count) == 0
    }
}
