package import WebSocketTransport
internal import Yams

/// The certificate files of the session listeners. Source: docs/configuration.md, "tls".
package struct TLSSettings: Hashable, Sendable {
    /// The path of the file with the certificates, of which the daemon's own is the first.
    package let certificate: String
    /// The path of the private key.
    package let key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// The reason why the files cannot be used.
    package struct Mistake: Error, Hashable, Sendable, CustomStringConvertible {
        /// The key of `tls` that names the invalid file.
        package let name: String
        /// The path of the file, and the problem with it.
        package let description: String
    }

    /// Reads and checks both files.
    package func identity() throws(Mistake) -> TLSIdentity {
        let certificateBytes = try Self.read(certificate, name: "certificate")
        let keyBytes = try Self.read(key, name: "key")
        do throws(TLSIdentityFault) {
            return try TLSIdentity(certificate: certificateBytes, key: keyBytes)
        } catch {
            throw error.isOfKey
                ? Mistake(name: "key", description: "\(key) \(error.reason)")
                : Mistake(name: "certificate", description: "\(certificate) \(error.reason)")
        }
    }

    /// Whether the key file is accessible to users other than its owner.
    package var isKeyExposed: Bool {
        FileStatus(path: key)?.isOpenToOthers ?? false
    }

    /// The maximum size of a file in bytes. No chain of certificates is longer.
    private static let bytesMax = 1 << 20

    private static func read(_ path: String, name: String) throws(Mistake) -> [UInt8] {
        do throws(NamedFile.Refusal) {
            return try NamedFile(path: path, bytesMax: bytesMax).bytes
        } catch {
            throw Mistake(
                name: name, description: "\(NamedFile.name(ofSecretAt: path)) \(error.reason)")
        }
    }
}

/// Reads `tls` of a configuration file, and checks its files.
struct TLSReader {
    let folder: ConfigurationFolder

    /// Returns the settings, or reports the problems and returns nil.
    func settings(_ node: Node, with reader: inout SettingsReader) -> TLSSettings? {
        guard
            let mapping = reader.mapping(node, key: "tls", known: ["certificate", "key"])
        else { return nil }
        for name in ["certificate", "key"] where mapping[name] == nil {
            reader.report("`\(name)` is missing", key: "tls", at: node)
        }
        guard let certificate = reader.string("certificate", in: mapping),
            let key = reader.string("key", in: mapping)
        else { return nil }
        let settings = TLSSettings(
            certificate: folder.resolve(certificate), key: folder.resolve(key))
        do throws(TLSSettings.Mistake) {
            _ = try settings.identity()
            return settings
        } catch {
            reader.report(
                error.description, key: mapping.key(error.name), at: mapping[error.name] ?? node)
            return nil
        }
    }
}
