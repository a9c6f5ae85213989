internal import Glibc

/// The options of a connection to the bus.
package struct BusOptions: Hashable, Sendable {
    /// How the connection identifies itself to a server. The files are read again for each attempt
    /// to connect, so they can be replaced at any time.
    package enum Credentials: Hashable, Sendable {
        case none
        /// A credentials file of NATS: the token of a user, and the seed of the user's key.
        case file(String)
        /// A file with the seed of an nkey of a user, which begins with `SU`.
        case nkey(String)
        case password(user: String, password: String)
    }

    /// The files for connections over TLS, in PEM format. If they are replaced, attempts to connect
    /// use the new files at most a minute later.
    package struct TLS: Hashable, Sendable {
        /// The certificates of authorities that are trusted in addition to those of the system.
        package var ca: String?
        /// The certificate chain of the client. It needs `key`.
        package var certificate: String?
        /// The key of the client's certificate.
        package var key: String?

        package init(ca: String? = nil, certificate: String? = nil, key: String? = nil) {
            self.ca = ca
            self.certificate = certificate
            self.key = key
        }
    }

    /// The name of the connection in the server's own monitoring.
    package var name: String
    /// The URLs of the servers, 1 to 16; see `BusServer`. They are tried in a random order.
    package var servers: [String]
    package var credentials = Credentials.none
    /// If this is set, all connections use TLS. Otherwise TLS is used for `tls://` addresses and
    /// for servers that require it, and the authorities of the system are trusted.
    package var tls: TLS?
    /// The time limit for a connection to one server, 100 to 60,000 ms. If libnats exceeds it by
    /// a second, the next server is tried.
    package var connectTimeoutMs = 2000

    package static let serversMax = 16
    package static let connectTimeoutRangeMs = 100...60_000

    package init(name: String, servers: [String]) {
        self.name = name
        self.servers = servers
    }

    /// Checks the options, reads their files, and returns the servers.
    func validated() throws(BusError) -> [BusServer] {
        guard 1...Self.serversMax ~= servers.count else {
            throw BusError("The bus needs 1 to \(Self.serversMax) servers.")
        }
        guard Self.connectTimeoutRangeMs ~= connectTimeoutMs else {
            throw BusError("The connect timeout must be 100 to 60,000 ms.")
        }
        guard (tls?.certificate == nil) == (tls?.key == nil) else {
            throw BusError("A certificate needs its key, and a key its certificate.")
        }
        // libnats itself reads this file only when it connects.
        if case .file(let path) = credentials, unsafe access(path, R_OK) != 0 {
            throw BusError("The credentials file \(path) cannot be read.")
        }
        var valid: [BusServer] = []
        for url in servers { valid.append(try BusServer(url)) }
        // The files are the same for all servers of one kind.
        let kinds = [false, true].compactMap { kind in valid.first { $0.isSecure == kind } }
        for server in kinds {
            do throws(NATSFailure) {
                try NATSSettings(self, server: server).prepare(link: .max)
            } catch {
                throw BusError(error.reason)
            }
        }
        return valid
    }
}
