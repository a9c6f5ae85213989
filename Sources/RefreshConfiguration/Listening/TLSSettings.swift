package import WebSocketTransport

/// The files of a certificate and of its private key. The session listeners authenticate with such
/// a pair, and a node of a cluster can too. Source: docs/configuration.md, "tls", "cluster".
package struct TLSSettings: Hashable, Sendable {
    /// The path of the file with the certificate chain. The file begins with the daemon's own
    /// certificate.
    package let certificate: String
    /// The path of the private key.
    package let key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// The reason why the files cannot be used.
    package struct Mistake: Error, Hashable, Sendable, CustomStringConvertible {
        /// The key that names the invalid file: `certificate` or `key`.
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

    /// The maximum size of a file in bytes. Even a long certificate chain is smaller.
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

extension TLSSettings {
    /// Reads `tls` of a configuration file, and checks its files. The result is nil if `tls` is
    /// absent. It is also nil if there is a problem, which is reported.
    init?(
        _ top: SettingsMapping, folder: ConfigurationFolder, with reader: inout SettingsReader
    ) {
        guard let settings = reader.table("tls", in: top),
            let certificate = reader.string("certificate", in: settings),
            let key = reader.string("key", in: settings)
        else { return nil }
        let files = TLSSettings(
            certificate: folder.resolve(certificate), key: folder.resolve(key))
        guard let files = files.checked(settings, with: &reader) else { return nil }
        self = files
    }

    /// Returns the value itself if its files are valid. Otherwise reports the mistake at the key of
    /// `settings` that names the invalid file.
    func checked(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> TLSSettings? {
        do throws(TLSSettings.Mistake) {
            _ = try identity()
            return self
        } catch {
            reader.report(
                error.description, key: settings.key(error.name),
                at: settings[error.name] ?? settings.node)
            return nil
        }
    }
}
