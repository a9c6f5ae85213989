internal import Cryptography
internal import RefreshProtocol

/// One key of a JSON Web Key Set, as in the file. Source: RFC 7517, 4; RFC 7518, 6.
struct JSONWebKey: Decodable, Sendable {
    var kty: String
    var use: String?
    var keyOps: [String]?
    var alg: String?
    var kid: String?
    var n: String?
    var e: String?
    var crv: String?
    var x: String?
    var y: String?
    var k: String?

    private enum CodingKeys: String, CodingKey {
        case kty, use, alg, kid, n, e, crv, x, y, k
        case keyOps = "key_ops"
    }

    /// The supported algorithm whose signatures the key can verify; nil if there is none.
    var algorithm: WebTokenSettings.Algorithm? {
        guard use ?? "sig" == "sig", keyOps?.contains("verify") ?? true else { return nil }
        let algorithm: WebTokenSettings.Algorithm? =
            switch (kty, crv) {
            case ("oct", _): .HS256
            case ("RSA", _): .RS256
            case ("EC", "P-256"): .ES256
            default: nil
            }
        guard let algorithm, alg ?? algorithm.rawValue == algorithm.rawValue else { return nil }
        return algorithm
    }

    /// Returns the key material for verification. If the entry also contains the private key, that
    /// key is ignored.
    func material(of algorithm: WebTokenSettings.Algorithm) throws(KeyFileProblem)
        -> WebTokenKey.Material
    {
        switch algorithm {
        case .HS256:
            guard let k, let bytes = Base64URL.bytes(of: k[...]) else {
                throw KeyFileProblem("`k` is missing, or not base64url")
            }
            return try .secret(bytes)
        case .RS256:
            guard let n, let e, let modulus = Base64URL.bytes(of: n[...]),
                let exponent = Base64URL.bytes(of: e[...]),
                let key = RSAPublicKey(modulus: modulus, exponent: exponent)
            else {
                throw KeyFileProblem("`n` and `e` do not form an RSA key of at least 2048 bits")
            }
            return .rsa(key)
        case .ES256:
            guard let x, let y, let x = Base64URL.bytes(of: x[...]),
                let y = Base64URL.bytes(of: y[...]), let key = P256PublicKey(x: x, y: y)
            else { throw KeyFileProblem("`x` and `y` do not form a point on P-256") }
            return .p256(key)
        }
    }
}

/// A JSON Web Key Set: the content of the file that `auth.jwks` names. Source: RFC 7517, 5.
struct JSONWebKeySet: Decodable, Sendable {
    var keys: [JSONWebKey]
}
