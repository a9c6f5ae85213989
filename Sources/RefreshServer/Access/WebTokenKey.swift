internal import Cryptography

/// A key that signatures are checked with: of one algorithm, whatever a token says.
struct WebTokenKey: Sendable {
    /// Secret or public.
    enum Material: Sendable {
        case hmac(SymmetricKey)
        case rsa(RSAPublicKey)
        case p256(P256PublicKey)

        /// A secret of HS256: at least as long as its digests, RFC 7518, 3.2.
        static func secret(_ bytes: [UInt8]) throws(KeyFileProblem) -> Material {
            guard bytes.count >= 32 else {
                throw KeyFileProblem("a secret of HS256 has at least 32 bytes")
            }
            return .hmac(SymmetricKey(bytes))
        }
    }

    let algorithm: WebTokenSettings.Algorithm
    /// Nil: it has no name.
    let kid: String?
    let material: Material

    /// Whether the token was signed with it.
    func signed(_ token: WebToken) -> Bool {
        switch material {
        case .hmac(let key): HMACSHA256.isValid(token.signature, of: token.signed, by: key)
        case .rsa(let key): key.isSignature(token.signature, of: token.signed)
        case .p256(let key): key.isSignature(token.signature, of: token.signed)
        }
    }
}
