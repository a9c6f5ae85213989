import Foundation
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshConfiguration

@Suite("The settings of a cluster")
struct ClusterReaderTests {
    /// A folder with the files of a cluster, which is removed when this object is released.
    private final class Folder: Sendable {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

        init() throws {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ name: String, _ text: String, mode: Int = 0o600) throws {
            let file = "\(path)/\(name)"
            try Data(text.utf8).write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        }

        /// Reads a configuration in this folder whose `cluster` has these members too.
        func cluster(_ members: String, scheme: String = "nats") throws -> ClusterSettings? {
            let text = "cluster: { name: a, servers: [\(scheme)://b], \(members) }"
            let file = try ConfigurationFile(text: text, path: "\(path)/refreshd.yaml")
            return try Configuration(file: file).cluster
        }

        /// The problems of such a configuration.
        func problems(_ members: String, scheme: String = "nats") -> [String] {
            do {
                _ = try cluster(members, scheme: scheme)
                return []
            } catch let error as ConfigurationError {
                return error.problems.map {
                    "\($0.key): \($0.message.replacing(path + "/", with: ""))"
                }
            } catch {
                return ["\(error)"]
            }
        }
    }

    private static func cluster(_ text: String) throws -> ClusterSettings? {
        let file = try ConfigurationFile(text: text, path: "/etc/refreshd/refreshd.yaml")
        return try Configuration(file: file).cluster
    }

    // MARK: Values

    @Test("Without `cluster`, the daemon belongs to no cluster")
    func nothing() throws {
        #expect(try Configuration().cluster == nil)
        #expect(try Self.cluster("demo: true") == nil)
    }

    @Test("The name and the servers suffice, and all other keys have defaults")
    func defaults() throws {
        let cluster = try #require(
            try Self.cluster(
                "cluster: { name: a_b-1, servers: [nats://B.example, \"nats://[::1]:4333\"] }"))
        #expect(cluster.name == "a_b-1")
        #expect(
            cluster.servers.map(\.description) == ["nats://b.example:4222", "nats://[::1]:4333"])
        #expect(!cluster.usesTLS)
        #expect(cluster.node == nil)
        #expect(cluster.login == nil)
        #expect(cluster.ca == nil && cluster.certificate == nil)
        #expect(cluster.connectTimeoutMs == 2000)
        #expect(cluster.exposedFiles.isEmpty)
    }

    @Test("A single server needs no list, and at most 16 servers are accepted")
    func servers() throws {
        let one = try #require(try Self.cluster("cluster: { name: a, servers: tls://b:1 }"))
        #expect(one.servers == [try ClusterServer("tls://b:1")])
        #expect(one.usesTLS)
        let urls = (1...16).map { "nats://10.0.0.\($0)" }.joined(separator: ", ")
        #expect(try Self.cluster("cluster: { name: a, servers: [\(urls)] }")?.servers.count == 16)
    }

    @Test("The environment can set the name, the servers and the other keys of a cluster")
    func environment() throws {
        let layers = try LayeredConfiguration(
            text: "{}", path: "refreshd.yaml",
            environment: [
                "REFRESHD_CLUSTER_NAME": "a", "REFRESHD_CLUSTER_SERVERS": "nats://b, nats://c:1",
                "REFRESHD_CLUSTER_CONNECTTIMEOUTMS": "100",
            ])
        let cluster = try #require(layers.configuration.cluster)
        #expect(cluster.servers.map(\.description) == ["nats://b:4222", "nats://c:1"])
        #expect(cluster.connectTimeoutMs == 100)
    }

    @Test("The name of a node is configured, or it is the name of the host")
    func node() throws {
        var cluster = ClusterSettings(name: "a", servers: [], node: "Web.1")
        #expect(cluster.nodeName == "Web.1")
        cluster.node = nil
        #expect(cluster.nodeName == ClusterSettings.hostName)
        #expect(ConfiguredName.isValid(ClusterSettings.hostName))
    }

    @Test(
        "Characters of the host's name that the name of a node cannot have are replaced",
        arguments: [
            ("web-1.example", "web-1.example"), ("a b/c", "a-b-c"), ("ä", "--"),
            (String(repeating: "a", count: 70), String(repeating: "a", count: 64)),
        ])
    func hostName(host: String, node: String) {
        #expect(ClusterSettings.nodeName(ofHost: host.utf8) == node)
    }

    // MARK: Login

    @Test("A credentials file with a token and a seed is accepted")
    func credentials() throws {
        let folder = try Folder()
        try folder.write("a.creds", ClusterFiles.credentials)
        let login = try #require(try folder.cluster("credentials: a.creds")?.login)
        #expect(login == .credentials(path: folder.path + "/a.creds"))
        #expect(try ClusterCredentials(login) == .file(path: login.path))
        let lines = ClusterFiles.credentials.replacing("\n", with: "\r\n")
        try folder.write("a.creds", lines)
        #expect(folder.problems("credentials: a.creds").isEmpty)
    }

    @Test("A credentials file without a token, or without the seed of a user, is refused")
    func damagedCredentials() throws {
        let folder = try Folder()
        let token = "-----BEGIN NATS USER JWT-----"
        let seed = "-----BEGIN USER NKEY SEED-----"
        let form = "cluster.credentials: a.creds: not a credentials file of NATS: "
        for (text, message) in [
            ("", form + "`\(token)` is missing, or no token follows it"),
            (ClusterFiles.seed, form + "`\(token)` is missing, or no token follows it"),
            ("\(token)\n----\n", form + "`\(token)` is missing, or no token follows it"),
            ("\(token)\na.b.c\n", form + "`\(seed)` is missing, or no seed follows it"),
            ("\(token)\na.b.c\n\(seed)\n", form + "`\(seed)` is missing, or no seed follows it"),
            (
                "\(token)\na.b.c\n\(seed)\n\(ClusterFiles.accountSeed)\n",
                "cluster.credentials: a.creds: the seed in it is not the seed of a user (SU…), or "
                    + "is damaged"
            ),
        ] {
            try folder.write("a.creds", text)
            #expect(folder.problems("credentials: a.creds") == [message])
        }
    }

    @Test("A file with the seed of a user is accepted, and any other seed is refused")
    func nkey() throws {
        let folder = try Folder()
        for text in [ClusterFiles.seed, "# a comment\n\(ClusterFiles.seed)\r\n"] {
            try folder.write("a.nk", text)
            let login = try folder.cluster("nkey: a.nk")?.login
            #expect(login == .nkey(path: folder.path + "/a.nk"))
        }
        let message =
            "cluster.nkey: a.nk: it has no line with the seed of a user (SU…, 58 characters), or "
            + "it is damaged"
        for text in [
            "", "secret", ClusterFiles.accountSeed, ClusterFiles.seed.lowercased(),
            String(ClusterFiles.seed.dropLast()), ClusterFiles.seed + "A",
            ClusterFiles.seed.replacing("AEQ", with: "AEA"),
        ] {
            try folder.write("a.nk", text)
            #expect(folder.problems("nkey: a.nk") == [message])
        }
    }

    @Test("A password is the one line of its file, without the line break")
    func password() throws {
        let folder = try Folder()
        for text in ["a \"b\\ ä", "a \"b\\ ä\n", "a \"b\\ ä\r\n"] {
            try folder.write("password", text)
            let login = try #require(
                try folder.cluster("user: refreshd, passwordFile: password")?.login)
            #expect(login == .password(user: "refreshd", path: folder.path + "/password"))
            #expect(
                try ClusterCredentials(login)
                    == .password(user: "refreshd", password: "a \"b\\ ä"))
        }
        for text in ["", "\n", "a\nb\n", "a\u{0}b", String(repeating: "a", count: 257)] {
            try folder.write("password", text)
            #expect(
                folder.problems("user: refreshd, passwordFile: password") == [
                    "cluster.passwordFile: password: not a password, which is one line of 1 to "
                        + "256 bytes"
                ])
        }
    }

    @Test("A file with a secret that other users can access is reported")
    func exposed() throws {
        let folder = try Folder()
        try folder.write("a.nk", ClusterFiles.seed)
        #expect(try folder.cluster("nkey: a.nk")?.exposedFiles == [])
        try folder.write("a.nk", ClusterFiles.seed, mode: 0o640)
        #expect(try folder.cluster("nkey: a.nk")?.exposedFiles == [folder.path + "/a.nk"])
    }

    // MARK: tls

    @Test("The files of `tls` are read, and damaged files are refused")
    func files() throws {
        let folder = try Folder()
        let certificates = try CertificateFolder()
        let pair = try certificates.make("node")
        let other = try certificates.make("other")
        let cluster = try folder.cluster(
            "tls: { ca: \(certificates.authority), certificate: \(pair.certificate), "
                + "key: \(pair.key) }", scheme: "tls")
        #expect(cluster?.ca == certificates.authority)
        #expect(
            cluster?.certificate == TLSSettings(certificate: pair.certificate, key: pair.key))
        try folder.write("ca.pem", "none")
        #expect(
            folder.problems("tls: { ca: ca.pem }", scheme: "tls") == [
                "cluster.tls.ca: The file contains no certificate in PEM."
            ])
        let foreign = folder.problems(
            "tls: { certificate: \(pair.certificate), key: \(other.key) }", scheme: "tls")
        #expect(foreign.count == 1)
        #expect(foreign.first?.hasPrefix("cluster.tls.key: ") == true)
        let empty = try #require(try folder.cluster("tls: {}"))
        #expect(empty.ca == nil && empty.certificate == nil)
    }

    // MARK: Printing

    @Test("The printed configuration has all keys of a cluster, and no secret")
    func printed() throws {
        let folder = try Folder()
        try folder.write("a.nk", ClusterFiles.seed)
        func lines(_ text: String) throws -> [String] {
            try LayeredConfiguration(text: text, path: "\(folder.path)/refreshd.yaml")
                .listing.text().split(separator: "\n").map(String.init)
        }
        let printed = try lines("cluster: { name: a, servers: [nats://b], nkey: a.nk, node: n }")
        let start = try #require(printed.firstIndex(of: "cluster:"))
        #expect(
            Array(printed[start...].prefix(6)) == [
                "cluster:", "  name: a  # file", "  servers: [\"nats://b\"]  # file",
                "  node: n  # file", "  nkey: a.nk  # file",
                "  connectTimeoutMs: 2000  # default",
            ])
        #expect(!printed.contains { $0.contains(ClusterFiles.seed) })
        let unnamed = try lines("cluster: { name: a, servers: [nats://b] }")
        #expect(
            unnamed.contains("# cluster.node: \(ClusterSettings.hostName)  # default"))
        #expect(try !lines("demo: true").contains { $0.contains("cluster.") })
        #expect(try !lines("demo: true").contains("cluster:"))
    }
}
