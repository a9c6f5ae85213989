internal import Foundation
internal import Glibc
internal import Synchronization

/// Certificates and keys for tests, created with `openssl` in a temporary folder. The folder is
/// removed when this object is released.
package final class CertificateFolder: Sendable {
    /// The kind of a certificate.
    package enum Kind: Sendable {
        /// With an elliptic-curve key.
        case curve
        /// With an RSA key of 2,048 bits.
        case rsa
        /// Expired yesterday.
        case expired
        /// With an RSA key of 512 bits, which is too weak for current libraries.
        case weak
    }

    /// A certificate with its key.
    package struct Pair: Sendable {
        /// The paths of the files.
        package let certificate: String, key: String

        /// This reference prevents the removal of the files as long as the pair exists.
        private let owner: CertificateFolder?

        package init(certificate: String, key: String, of owner: CertificateFolder? = nil) {
            self.certificate = certificate
            self.key = key
            self.owner = owner
        }

        package var certificateBytes: [UInt8] {
            get throws { try CertificateFolder.read(certificate) }
        }
        package var keyBytes: [UInt8] { get throws { try CertificateFolder.read(key) } }
    }

    /// The command `openssl` has failed.
    package struct Unusable: Error {
        package let output: String
    }

    /// The path of the authority's certificate in PEM format.
    package let authority: String
    private let folder: URL

    package init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        authority = folder.appending(path: "ca.pem").path
        try run(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "
                + "-keyout ca.key -out ca.pem -days 2 -subj /CN=ca")
    }

    /// Creates a folder that all tests of this process share.
    package static func untilExit() throws -> CertificateFolder {
        let folder = try CertificateFolder()
        FoldersUntilExit.add(folder.folder)
        return folder
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Creates a certificate for 127.0.0.1. An intermediate authority has signed it, and the file
    /// also contains the certificate of that authority.
    package func make(_ name: String, _ kind: Kind = .curve) throws -> Pair {
        let newKey =
            switch kind {
            case .curve, .expired: "ec -pkeyopt ec_paramgen_curve:prime256v1"
            case .rsa: "rsa:2048"
            case .weak: "rsa:512"
            }
        let days = if case .expired = kind { "-1" } else { "2" }
        try run(
            """
            openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout \(name)-ca.key \
                -out \(name)-ca.csr -subj /CN=\(name)-ca
            echo basicConstraints=critical,CA:true > \(name)-ca.ext
            openssl x509 -req -in \(name)-ca.csr -CA ca.pem -CAkey ca.key -set_serial 0x$(openssl rand -hex 8) -days 2 \
                -extfile \(name)-ca.ext -out \(name)-ca.pem
            openssl req -newkey \(newKey) -nodes -keyout \(name).key -out \(name).csr -subj /CN=\(name)
            echo subjectAltName=IP:127.0.0.1 > \(name).ext
            openssl x509 -req -in \(name).csr -CA \(name)-ca.pem -CAkey \(name)-ca.key -set_serial 0x$(openssl rand -hex 8) \
                -days \(days) -extfile \(name).ext -out \(name).leaf
            cat \(name).leaf \(name)-ca.pem > \(name).pem
            chmod 600 \(name).key
            """)
        return Pair(
            certificate: folder.appending(path: "\(name).pem").path,
            key: folder.appending(path: "\(name).key").path, of: self)
    }

    /// Runs a shell command in the folder.
    package func run(_ script: String) throws {
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-ec", script]
        shell.currentDirectoryURL = folder
        let output = Pipe()
        shell.standardError = output
        shell.standardOutput = FileHandle.nullDevice
        try shell.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        shell.waitForStatus()
        guard shell.waitForStatus() == 0 else {
            throw Unusable(output: String(decoding: text, as: UTF8.self))
        }
    }

    private static func read(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path)))
    }
}

/// Temporary folders that all tests of a process share. They are removed when the process exits.
enum FoldersUntilExit {
    private static let folders = Mutex<[URL]>([])
    private static let isWatched: Void = {
        _ = atexit { FoldersUntilExit.removeAll() }
    }()

    static func add(_ folder: URL) {
        folders.withLock { $0.append(folder) }
        _ = isWatched
    }

    private static func removeAll() {
        for folder in folders.withLock({ $0 }) { try? FileManager.default.removeItem(at: folder) }
    }
}
