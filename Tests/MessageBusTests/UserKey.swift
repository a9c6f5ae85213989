import Cryptography
import Foundation
import Workbench

@testable import MessageBus

/// An Ed25519 key of an operator, an account or a user, as NATS writes it. `openssl` signs with it.
struct UserKey {
    /// What the key is for. The raw value is the first byte of its public key.
    enum Kind: UInt8 {
        case account = 0
        case authority = 112
        case user = 160
    }

    let seedText: String
    let publicText: String
    private let seed: [UInt8]

    init(_ kind: Kind = .user) throws {
        seed = (0..<32).map { _ in .random(in: 0...255) }
        let prefix = [144 | kind.rawValue >> 5, (kind.rawValue & 31) << 3]
        seedText = Self.text(prefix + seed)
        let file = try TemporaryFile("key.der")
        try file.write(Self.encoding(of: seed))
        // The encoding of a public key ends with its 32 bytes.
        let output = try Self.openssl(
            ["pkey", "-inform", "DER", "-in", file.path, "-pubout", "-outform", "DER"])
        publicText = Self.text([kind.rawValue] + output.suffix(32))
    }

    /// Signs a token of NATS with these claims.
    func token(for subject: UserKey, _ name: String, _ claims: String) throws -> String {
        let head = #"{"typ":"JWT","alg":"ed25519-nkey"}"#
        let body =
            #"{"jti":"\#(UUID().uuidString)","iat":1700000000,"iss":"\#(publicText)","#
            + #""name":"\#(name)","sub":"\#(subject.publicText)","nats":{\#(claims),"version":2}}"#
        let text = Self.base64URL(Array(head.utf8)) + "." + Self.base64URL(Array(body.utf8))
        return text + "." + Self.base64URL(try sign(Array(text.utf8)))
    }

    private func sign(_ bytes: [UInt8]) throws -> [UInt8] {
        let key = try TemporaryFile("key.der")
        try key.write(Self.encoding(of: seed))
        let message = try TemporaryFile("message")
        try message.write(bytes)
        return try Self.openssl([
            "pkeyutl", "-sign", "-rawin", "-inkey", key.path, "-keyform", "DER", "-in",
            message.path,
        ])
    }

    /// The private key in PKCS #8 (RFC 8410, 7).
    private static func encoding(of seed: [UInt8]) -> [UInt8] {
        [0x30, 0x2E, 2, 1, 0, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 4, 0x22, 4, 0x20] + seed
    }

    private static func text(_ bytes: [UInt8]) -> String {
        Base32.text(of: bytes + NKeySeed.checksum(of: bytes[...]))
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    private static func openssl(_ arguments: [String]) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitForStatus()
        guard process.waitForStatus() == 0 else { throw NATSServer.Unusable(log: "openssl") }
        return Array(bytes)
    }
}

/// An operator with an account, whose users authenticate themselves with tokens.
struct TokenAuthority {
    private let operatorKey: UserKey
    private let account: UserKey

    init() throws {
        operatorKey = try UserKey(.authority)
        account = try UserKey(.account)
    }

    /// The lines with which a server accepts the users of the account.
    var serverConfiguration: String {
        get throws {
            let limits =
                #""subs":-1,"data":-1,"payload":-1,"imports":-1,"exports":-1,"wildcards":true,"#
                + #""conn":-1,"leaf":-1"#
            let claims = #""type":"account","limits":{\#(limits)}"#
            return """
                operator: \(try operatorKey.token(for: operatorKey, "o", #""type":"operator""#))
                resolver: MEMORY
                resolver_preload: {
                    \(account.publicText): \(try operatorKey.token(for: account, "a", claims))
                }
                """
        }
    }

    /// The contents of a credentials file of a new user.
    func userCredentials() throws -> String {
        let user = try UserKey()
        let claims = #""type":"user","subs":-1,"data":-1,"payload":-1"#
        return """
            -----BEGIN NATS USER JWT-----
            \(try account.token(for: user, "u", claims))
            ------END NATS USER JWT------

            -----BEGIN USER NKEY SEED-----
            \(user.seedText)
            ------END USER NKEY SEED------

            """
    }
}
