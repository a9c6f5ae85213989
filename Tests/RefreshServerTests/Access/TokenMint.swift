import Foundation
import JWTKit

@testable import RefreshServer

/// Makes JSON Web Tokens, good ones and such as nobody should make; its keys live as long as it
/// does.
struct TokenMint: Sendable {
    /// The secret of HS256.
    static let secret = "a canary that sings in every mine it is let into"
    static let rsa = try? rsaKey()
    static let otherRSA = try? rsaKey()
    static let p256 = ES256PrivateKey()
    static let otherP256 = ES256PrivateKey()

    /// openssl has no key to give.
    struct Unusable: Error {}

    /// The moment by which the tests' tokens are dated, seconds since 1970.
    static let noon = 1_800_000_000.0

    static let claims =
        #"{"sub":"anna","aud":"lists.example.org","iss":"https://id.example.org","exp":1800000060}"#

    /// With what the token is signed.
    enum Pen: Sendable {
        case hmac(String)
        case rsa(Insecure.RSA.PrivateKey?)
        case p256(ES256PrivateKey)
        /// Nothing: the signature is these bytes.
        case forged([UInt8])
    }

    /// A token of that header and those claims, as they stand.
    static func token(
        _ header: String, _ claims: String = claims, by pen: Pen
    ) async throws -> String {
        let signed = base64URL(Array(header.utf8)) + "." + base64URL(Array(claims.utf8))
        let keys = JWTKeyCollection()
        switch pen {
        case .hmac(let secret):
            await keys.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
        case .rsa(let key):
            guard let key else { throw Unusable() }
            await keys.add(rsa: key, digestAlgorithm: .sha256)
        case .p256(let key): await keys.add(ecdsa: key)
        case .forged(let bytes): return signed + "." + base64URL(bytes)
        }
        let signature = try await keys.getKey().sign(Array(signed.utf8))
        return signed + "." + base64URL(signature)
    }

    static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// The file with the public keys: `rsa-1` and `ec-1`, and the secret if asked for.
    static func keySet(withSecret: Bool = false, named: Bool = true) throws -> String {
        var keys = [
            try rsaEntry(kid: named ? "rsa-1" : nil), try p256Entry(kid: named ? "ec-1" : nil),
        ]
        if withSecret {
            let k = base64URL(Array(secret.utf8))
            keys.append(#"{"kty":"oct","k":"\#(k)"\#(named ? #","kid":"hs-1""# : "")}"#)
        }
        return #"{"keys":[\#(keys.joined(separator: ","))]}"#
    }

    static func rsaEntry(kid: String?, more: String = "") throws -> String {
        guard let rsa else { throw Unusable() }
        let numbers = try rsa.publicKey.getKeyPrimitives()
        let n = base64URL(Array(numbers.modulus))
        let e = base64URL(Array(numbers.publicExponent))
        let name = kid.map { #","kid":"\#($0)""# } ?? ""
        return #"{"kty":"RSA","n":"\#(n)","e":"\#(e)"\#(name)\#(more)}"#
    }

    static func p256Entry(kid: String?, more: String = "") throws -> String {
        guard let point = p256.parameters, let x = Data(base64Encoded: point.x),
            let y = Data(base64Encoded: point.y)
        else { throw Unusable() }
        let name = kid.map { #","kid":"\#($0)""# } ?? ""
        return #"{"kty":"EC","crv":"P-256","x":"\#(base64URL(Array(x)))","#
            + #""y":"\#(base64URL(Array(y)))"\#(name)\#(more)}"#
    }

    /// The public key as a PEM file has it: what an attacker can read.
    static var rsaPEM: String { rsa?.publicKey.pemRepresentation ?? "" }

    private static func rsaKey() throws -> Insecure.RSA.PrivateKey {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048",
        ]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let pem = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try Insecure.RSA.PrivateKey(pem: String(decoding: pem, as: UTF8.self))
    }
}
