internal import Foundation
internal import JWTKit

/// A key that signatures are checked with: of one algorithm, whatever a token says.
struct WebTokenKey: Sendable {
    /// Secret or public.
    enum Material: Sendable {
        case hmac(HMACKey)
        case rsa(Insecure.RSA.PublicKey)
        case ecdsa(ES256PublicKey)

        /// A secret of HS256: at least as long as its digests, RFC 7518, 3.2.
        static func secret(_ bytes: [UInt8]) throws(KeyFileProblem) -> Material {
            guard bytes.count >= 32 else {
                throw KeyFileProblem("a secret of HS256 has at least 32 bytes")
            }
            return .hmac(HMACKey(from: bytes))
        }
    }

    let algorithm: WebTokenSettings.Algorithm
    /// Nil: it has no name.
    let kid: String?
    let material: Material

    /// Whether the token was signed with it.
    func signed(_ token: WebToken) async -> Bool {
        let keys = JWTKeyCollection()
        switch material {
        case .hmac(let key): await keys.add(hmac: key, digestAlgorithm: .sha256)
        case .rsa(let key): await keys.add(rsa: key, digestAlgorithm: .sha256)
        case .ecdsa(let key): await keys.add(ecdsa: key)
        }
        // A signature that is none by its length is an error there, which is as good as false.
        let algorithm = try? await keys.getKey()
        return (try? algorithm?.verify(token.signature, signs: token.signed)) ?? false
    }
}
