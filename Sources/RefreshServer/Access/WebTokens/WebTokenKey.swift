internal import Cryptography

/// A key that verifies signatures of one algorithm, whatever a token's header names.
struct WebTokenKey: Sendable {
    /// The key itself, secret or public.
    enum Material: Sendable {
        case hmac(SymmetricKey)
        case rsa(RSAPublicKey)
        case p256(P256PublicKey)

        /// Creates a secret of HS256. It must be at least as long as the digest: RFC 7518, 3.2.
        static func secret(_ bytes: [UInt8]) throws(KeyFileProblem) -> Material {
            guard bytes.count >= 32 else {
                throw KeyFileProblem("an HS256 secret must have at least 32 bytes")
            }
            return .hmac(SymmetricKey(bytes))
        }
    }

    let algorithm: WebTokenSettings.Algorithm
    /// The key's name; nil: none.
    let kid: String?
    let material: Material

    /// Returns whether the token was signed with this key.
    func verifiesSignature(of token: WebToken) -> Bool {
        switch material {
        case .hmac(let key): HMACSHA256.isValid(token.signature, of: token.signed, by: key)
        case .rsa(let key): key.isSignature(token.signature, of: token.signed)
        case .p256(let key): key.isSignature(token.signature, of: token.signed)
        }
    }
}
