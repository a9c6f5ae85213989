internal import COpenSSL

/// The signature scheme Ed25519. Source: RFC 8032, 5.1.
package enum Ed25519 {
    package static let keyCount = Int(COPENSSL_ED25519_COUNT)

    /// Derives the public key, 32 bytes, from a seed (the private key) of 32 bytes. Returns nil if
    /// the seed has another length.
    package static func publicKey(seed: [UInt8]) -> [UInt8]? {
        guard seed.count == keyCount else { return nil }
        return unsafe LibCrypto.filled(keyCount) { unsafe copenssl_ed25519_public_key(seed, $0) }
    }
}
