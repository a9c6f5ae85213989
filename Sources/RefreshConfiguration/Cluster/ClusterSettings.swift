internal import Glibc

/// The settings of a daemon that is a node of a cluster. They contain paths of files with secrets,
/// never secrets. All files were valid when the configuration was read. Source:
/// docs/configuration.md, "cluster".
package struct ClusterSettings: Hashable, Sendable {
    /// How the daemon authenticates at the servers.
    package enum Login: Hashable, Sendable {
        /// A credentials file of NATS, which contains the JSON Web Token and the seed of a user.
        case credentials(path: String)
        /// A file with the seed of an nkey.
        case nkey(path: String)
        /// The name of a user, and a file with the password.
        case password(user: String, path: String)

        /// The key in `cluster` that names the file.
        var key: String {
            switch self {
            case .credentials: "credentials"
            case .nkey: "nkey"
            case .password: "passwordFile"
            }
        }

        /// The path of the file, which contains a secret.
        package var path: String {
            switch self {
            case .credentials(let path), .nkey(let path), .password(_, let path): path
            }
        }
    }

    /// The name of the cluster: 1 to 32 characters of `a` to `z`, `0` to `9`, `-` and `_`.
    package var name: String
    /// The servers: 1 to 16, without duplicates. Either all of them use TLS, or none does.
    package var servers: [ClusterServer]
    /// The configured name of this node; nil means `hostName`.
    package var node: String?
    /// Nil if the servers require no authentication.
    package var login: Login?
    /// The path of a PEM file with the trusted certificates; nil means the certificates that the
    /// system trusts.
    package var ca: String?
    /// The certificate with which the daemon authenticates, and its key; nil if the servers require
    /// none.
    package var certificate: TLSSettings?
    /// The time limit for one attempt to connect to a server, in milliseconds, 100...60,000.
    package var connectTimeoutMs: Int

    package static let standardConnectTimeoutMs = 2000
    static let serversMax = 16

    package init(
        name: String, servers: [ClusterServer], node: String? = nil, login: Login? = nil,
        ca: String? = nil, certificate: TLSSettings? = nil,
        connectTimeoutMs: Int = standardConnectTimeoutMs
    ) {
        self.name = name
        self.servers = servers
        self.node = node
        self.login = login
        self.ca = ca
        self.certificate = certificate
        self.connectTimeoutMs = connectTimeoutMs
    }

    /// The name of this node in logs and answers. Two nodes may have the same name.
    package var nodeName: String { node ?? Self.hostName }

    /// Whether the connections to the servers use TLS.
    package var usesTLS: Bool { servers.first?.usesTLS ?? false }

    /// The paths of the files that contain a secret and are accessible to users other than their
    /// owner.
    package var exposedFiles: [String] {
        [login?.path, certificate?.key].compactMap(\.self)
            .filter { FileStatus(path: $0)?.isOpenToOthers ?? false }
    }

    /// The files that the settings name, by option.
    var files: [(option: String, path: String)] {
        var files = [("tls.ca", ca), ("tls.certificate", certificate?.certificate)]
        files.append(("tls.key", certificate?.key))
        if let login { files.append((login.key, login.path)) }
        return files.compactMap { name, path in path.map { ("cluster.\(name)", $0) } }
    }

    /// The name of this machine, with `-` in place of each character that the name of a node cannot
    /// have.
    static var hostName: String {
        var text = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&text, text.count - 1) == 0, text.first != 0 else { return "node" }
        return nodeName(ofHost: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
    }

    /// Returns the name of the node on a machine with this name, which is not empty.
    static func nodeName(ofHost name: some Collection<UInt8>) -> String {
        let characters = name.prefix(64).map { Character(UnicodeScalar($0)) }
        return String(
            characters.map { ConfiguredName.isValid(String($0)) ? $0 : Character("-") })
    }
}
