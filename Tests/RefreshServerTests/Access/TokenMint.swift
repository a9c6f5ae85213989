import Cryptography
import Foundation

@testable import RefreshServer

/// Creates valid and invalid JSON Web Tokens. Its keys are generated once for the process.
struct TokenMint: Sendable {
    /// The secret of HS256.
    static let secret = "a canary that sings in every mine it is let into"
    static let rsa = try? SigningKey(.rsa)
    static let otherRSA = try? SigningKey(.rsa)
    static let p256 = try? SigningKey(.p256)
    static let otherP256 = try? SigningKey(.p256)

    /// The key for signing could not be created.
    struct Unusable: Error {}

    /// The time to which the tests' tokens refer, in seconds since 1970.
    static let noon = 1_800_000_000.0

    static let claims =
        #"{"sub":"anna","aud":"lists.example.org","iss":"https://id.example.org","exp":1800000060}"#

    /// The method with which a token is signed.
    enum Pen: Sendable {
        case hmac(String)
        case rsa(SigningKey?)
        case p256(SigningKey?)
        /// The token has no signature. It contains these bytes in place of one.
        case forged([UInt8])
    }

    /// Returns a token with exactly this header and these claims.
    static func token(
        _ header: String, _ claims: String = claims, by pen: Pen
    ) async throws -> String {
        let signed = base64URL(Array(header.utf8)) + "." + base64URL(Array(claims.utf8))
        let signature: [UInt8]
        switch pen {
        case .hmac(let secret):
            signature = HMACSHA256.authenticationCode(
                of: Array(signed.utf8), by: SymmetricKey(Array(secret.utf8)))
        case .rsa(let key), .p256(let key):
            guard let key else { throw Unusable() }
            signature = try key.signature(of: signed)
        case .forged(let bytes): signature = bytes
        }
        return signed + "." + base64URL(signature)
    }

    static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// Returns a key set with the public keys `rsa-1` and `ec-1`, and with the secret if requested.
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
        let n = base64URL(rsa.modulus)
        let e = base64URL(SigningKey.exponent)
        let name = kid.map { #","kid":"\#($0)""# } ?? ""
        return #"{"kty":"RSA","n":"\#(n)","e":"\#(e)"\#(name)\#(more)}"#
    }

    static func p256Entry(kid: String?, more: String = "") throws -> String {
        guard let point = p256?.point else { throw Unusable() }
        let name = kid.map { #","kid":"\#($0)""# } ?? ""
        return #"{"kty":"EC","crv":"P-256","x":"\#(base64URL(point.x))","#
            + #""y":"\#(base64URL(point.y))"\#(name)\#(more)}"#
    }

    /// The public RSA key in PEM format, which an attacker can read.
    static var rsaPEM: String { rsa?.publicPEM ?? "" }
}
