package import Cryptography

/// A key that verifies signatures of one algorithm only. A token's header cannot select another
/// algorithm.
package struct WebTokenKey: Sendable {
    /// The key itself, secret or public.
    package enum Material: Sendable {
        case hmac(SymmetricKey)
        case rsa(RSAPublicKey)
        case p256(P256PublicKey)

        /// Creates a secret of HS256. It must have at least the length of the digest, 32 bytes.
        /// Source: RFC 7518, 3.2.
        static func secret(_ bytes: [UInt8]) throws(KeyFileProblem) -> Material {
            guard bytes.count >= 32 else {
                throw KeyFileProblem("an HS256 secret must have at least 32 bytes")
            }
            return .hmac(SymmetricKey(bytes))
        }
    }

    package let algorithm: WebTokenSettings.Algorithm
    /// The key's name; nil if it has none.
    package let kid: String?
    package let material: Material
}
