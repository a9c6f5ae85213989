internal import Cryptography

/// A digest of a file, to detect changed content.
package struct FileSum: Hashable, Sendable {
    private let digest: [UInt8]

    /// The maximum size of a file in bytes. No valid file of the configuration is larger.
    private static let bytesMax = 16_777_216

    /// The digest of the file's current content; nil if it cannot be read.
    package init?(path: String) {
        guard let file = try? NamedFile(path: path, bytesMax: Self.bytesMax) else { return nil }
        digest = SHA256.digest(of: file.bytes)
    }
}
