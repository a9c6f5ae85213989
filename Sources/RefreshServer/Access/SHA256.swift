internal import Crypto
internal import Foundation

/// The hash by which tokens stand in the configuration. Source: FIPS 180-4.
enum SHA256 {
    static let byteCount = 32

    /// 32 bytes.
    static func digest(of bytes: [UInt8]) -> [UInt8] {
        Array(Crypto.SHA256.hash(data: bytes))
    }

    /// Whether two digests are the same; takes as long whatever they are.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        // Keys are compared so; arrays would be left at their first difference.
        SymmetricKey(data: left) == SymmetricKey(data: right)
    }
}
