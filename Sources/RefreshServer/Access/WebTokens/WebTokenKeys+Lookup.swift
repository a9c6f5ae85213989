internal import Cryptography
internal import RefreshConfiguration
internal import RefreshProtocol
internal import RefreshSession

extension WebTokenKeys {
    /// Returns the key that must have signed the token: the key with the token's algorithm and
    /// `kid`. If the token has no `kid`, there must be exactly one key with this algorithm.
    func key(
        _ algorithm: WebTokenSettings.Algorithm, kid: String?
    ) throws(AdmissionRefusal) -> WebTokenKey {
        let candidates = keys.filter { $0.algorithm == algorithm }
        // A secret file has no key names, so the token's `kid` is ignored.
        guard let kid, !isSecretFile else {
            guard candidates.count == 1, let key = candidates.first else { throw .unknownKey }
            return key
        }
        guard let key = candidates.first(where: { $0.kid?.hasBytes(of: kid) == true }) else {
            throw .unknownKey
        }
        return key
    }
}

extension WebTokenKey {
    /// Returns whether the token was signed with this key.
    func verifiesSignature(of token: WebToken) -> Bool {
        switch material {
        case .hmac(let key): HMACSHA256.isValid(token.signature, of: token.signed, by: key)
        case .rsa(let key): key.isSignature(token.signature, of: token.signed)
        case .p256(let key): key.isSignature(token.signature, of: token.signed)
        }
    }
}
