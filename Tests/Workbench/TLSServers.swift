internal import Foundation
internal import Glibc

/// HTTPS servers on 127.0.0.1, each with its own certificate, in one node process. They end when
/// this object is released.
///
/// The answer to every request is a JSON array of the HTTP version, such as `["1.1"]`. The
/// certificates are created with `openssl` for this run. Except where stated otherwise, the tests'
/// own authority has signed them.
package final class TLSServers: Sendable {
    package enum Certificate: String, CaseIterable, Sendable {
        /// For 127.0.0.1, signed by the tests' own authority.
        case good
        /// Expired yesterday.
        case expired
        /// For a host of another name.
        case otherName
        /// Signed by an authority that no client trusts.
        case unknownAuthority
    }

    /// The command `openssl` or `node` has failed.
    package struct Unusable: Error {}

    /// The path of the authority's certificate in PEM format.
    package let authority: String
    private let files: TemporaryFile
    private let process: Process
    private let input = Pipe()
    private let output = Pipe()
    private let ports: [Int]

    private static let server = """
        const { createSecureServer } = require("node:http2"), { readFileSync } = require("node:fs");
        const [folder, ...names] = process.argv.slice(2);
        const identity = (name) => ({ key: readFileSync(`${folder}/${name}.key`),
                                      cert: readFileSync(`${folder}/${name}.pem`) });
        const servers = names.map((name) => createSecureServer(
            { ...identity(name), allowHTTP1: true },
            (request, response) => response.end(JSON.stringify([request.httpVersion]))));
        const listening = servers.map((server) => new Promise((resolve) =>
            server.listen(0, "127.0.0.1", () => resolve(server.address().port))));
        Promise.all(listening).then((ports) => console.log(ports.join(" ")));
        process.stdin.on("data", () => {
          for (const server of servers) server.setSecureContext(identity("good"));
          console.log("healed");
        });
        """

    package init() throws {
        files = try TemporaryFile("server.js", Self.server)
        let folder = URL(filePath: files.path).deletingLastPathComponent().path
        authority = folder + "/ca.pem"
        try Self.makeCertificates(in: folder)
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let names = Certificate.allCases.map(\.rawValue)
        process.arguments = ["node", files.path, folder] + names
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        ports = line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard ports.count == names.count else { throw Unusable() }
    }

    deinit {
        // SIGTERM would not work, because test threads block signals, and the child inherits that.
        kill(process.processIdentifier, SIGKILL)
        process.waitForStatus()
    }

    package func url(_ certificate: Certificate) -> String {
        let index = Certificate.allCases.firstIndex(of: certificate) ?? 0
        return "https://127.0.0.1:\(ports[index])"
    }

    /// Gives all servers the good certificate from now on.
    package func heal() throws {
        try input.fileHandleForWriting.write(contentsOf: Data("heal\n".utf8))
        guard !output.fileHandleForReading.availableData.isEmpty else { throw Unusable() }
    }

    private static func makeCertificates(in folder: String) throws {
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
        var commands = ["ca", "other"].map {
            "openssl req -x509 \(key) -keyout \($0).key -out \($0).pem -days 2 -subj /CN=\($0)"
        }
        for certificate in Certificate.allCases {
            let name = certificate.rawValue
            let authority = certificate == .unknownAuthority ? "other" : "ca"
            let days = certificate == .expired ? "-1" : "2"
            let host = certificate == .otherName ? "DNS:elsewhere.example" : "IP:127.0.0.1"
            commands += [
                "openssl req \(key) -keyout \(name).key -out \(name).csr -subj /CN=\(name)",
                "echo subjectAltName=\(host) > \(name).ext",
                "openssl x509 -req -in \(name).csr -CA \(authority).pem -CAkey \(authority).key"
                    + " -CAcreateserial -days \(days) -extfile \(name).ext -out \(name).pem",
            ]
        }
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-ec", commands.joined(separator: "\n")]
        shell.currentDirectoryURL = URL(filePath: folder)
        shell.standardError = FileHandle.nullDevice
        shell.standardOutput = FileHandle.nullDevice
        try shell.run()
        shell.waitForStatus()
        guard shell.waitForStatus() == 0 else { throw Unusable() }
    }
}
