import Foundation
import Workbench

/// A private key that signs with the command `openssl`, independently of the code under test.
struct SigningKey: Sendable {
    enum Kind: Sendable {
        /// RSA of 2048 bits, RSASSA-PKCS1-v1_5.
        case rsa
        /// ECDSA with the curve P-256.
        case p256
    }

    /// The command `openssl` has failed or has printed an unexpected text.
    struct Unusable: Error {}

    /// The public exponent of every RSA key.
    static let exponent: [UInt8] = [1, 0, 1]

    /// The public key in PEM format.
    let publicPEM: String
    /// The modulus of an RSA key. Empty for other keys.
    let modulus: [UInt8]
    /// The point of a P-256 key. Empty for other keys.
    let point: (x: [UInt8], y: [UInt8])

    private let kind: Kind
    private let pem: Data

    init(_ kind: Kind) throws {
        let traits =
            switch kind {
            case .rsa: ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
            case .p256: ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
            }
        self.kind = kind
        pem = try Self.openssl(["genpkey", "-algorithm"] + traits, input: Data())
        publicPEM = String(
            decoding: try Self.openssl(["pkey", "-pubout"], input: pem), as: UTF8.self)
        modulus = kind == .rsa ? try Self.modulus(of: pem) : []
        point = kind == .p256 ? try Self.point(of: pem) : ([], [])
    }

    private static func modulus(of pem: Data) throws -> [UInt8] {
        let line = try openssl(["rsa", "-noout", "-modulus"], input: pem)
        let digits = String(decoding: line, as: UTF8.self).drop { $0 != "=" }
            .compactMap(\.hexDigitValue)
        guard digits.count == 512 else { throw Unusable() }
        return stride(from: 0, to: 512, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private static func point(of pem: Data) throws -> (x: [UInt8], y: [UInt8]) {
        // The key ends with the octet 4, which means "uncompressed", and the two coordinates.
        let der = try openssl(["pkey", "-pubout", "-outform", "DER"], input: pem)
        guard der.count > 65, Array(der.suffix(65))[0] == 4 else { throw Unusable() }
        return (Array(der.suffix(64).prefix(32)), Array(der.suffix(32)))
    }

    /// The signature in the format of a token (RFC 7518, 3.3 and 3.4).
    func signature(of text: String) throws -> [UInt8] {
        let file = try TemporaryFile("signed", text)
        let signature = Array(
            try Self.openssl(["dgst", "-sha256", "-sign", "/dev/stdin", file.path], input: pem))
        switch kind {
        case .rsa: return signature
        case .p256:
            // The signature is a sequence of two integers, each shorter than 128 bytes (RFC 3279,
            // 2.2.3).
            guard signature.count > 8, signature[0] == 0x30 else { throw Unusable() }
            let second = 4 + Int(signature[3])
            let r = signature[4..<second]
            return Self.coordinate(r) + Self.coordinate(signature[(second + 2)...])
        }
    }

    /// Converts a DER integer to 32 bytes. The integer may have a leading zero byte, or fewer
    /// bytes.
    private static func coordinate(_ number: ArraySlice<UInt8>) -> [UInt8] {
        [UInt8](repeating: 0, count: max(0, 32 - number.count)) + number.suffix(32)
    }

    private static func openssl(_ arguments: [String], input: Data) throws -> Data {
        let process = Process()
        let (from, to) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.standardInput = to
        process.standardOutput = from
        process.standardError = FileHandle.nullDevice
        try process.run()
        try to.fileHandleForWriting.write(contentsOf: input)
        try to.fileHandleForWriting.close()
        let output = from.fileHandleForReading.readDataToEndOfFile()
        process.waitForStatus()
        guard process.waitForStatus() == 0 else { throw Unusable() }
        return output
    }
}
