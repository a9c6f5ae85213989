internal import Cryptography

/// By which it is seen that a file holds something else than before.
package struct FileSum: Hashable, Sendable {
    private let digest: [UInt8]

    /// No file that the configuration names is larger.
    private static let bytesMax = 16_777_216

    /// Of what the file holds now; nil if it cannot be read.
    init?(path: String) {
        guard let file = try? NamedFile(path: path, bytesMax: Self.bytesMax) else { return nil }
        digest = SHA256.digest(of: file.bytes)
    }
}
