internal import Cryptography
internal import RefreshBackends

/// A digest of a file, to detect changed content.
package struct FileSum: Hashable, Sendable {
    private let digest: [UInt8]

    /// The maximum size of a file in bytes. No valid file that the configuration names is larger.
    private static let bytesMax = 16_777_216

    /// The digest of the file's current content; nil if it cannot be read.
    package init?(path: String) {
        guard let file = try? NamedFile(path: path, bytesMax: Self.bytesMax) else { return nil }
        digest = SHA256.digest(of: file.bytes)
    }
}

extension Configuration {
    /// The key files and the CA files that the configuration names, and all files of `cluster`, by
    /// option. The certificates of `tls` and the indicators are not among them, because their
    /// contents are compared elsewhere.
    private var namedFiles: [(option: String, path: String)] {
        var files: [(option: String, path: String)] = []
        switch auth {
        case .none, .token: break
        case .jwt(let settings): files.append((settings.keys.key, settings.keys.path))
        case .http(let settings): if let ca = settings.ca { files.append(("auth.ca", ca)) }
        }
        for (index, key) in resume.keys.enumerated() {
            files.append(("resume.keys[\(index)].file", key.file))
        }
        files += cluster?.files ?? []
        for feed in feeds {
            guard case .http(let settings) = feed.backend, let ca = settings.options.ca
            else { continue }
            files.append(("feeds.\(feed.name).ca", ca))
        }
        return files
    }

    /// The present digests of `namedFiles`, by option.
    var fileSums: [String: FileSum] {
        var sums: [String: FileSum] = [:]
        for file in namedFiles { sums[file.option] = FileSum(path: file.path) }
        return sums
    }
}
