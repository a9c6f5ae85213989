internal import COpenSSL

/// Message authentication with HMAC and SHA-256. Source: RFC 2104.
package enum HMACSHA256 {
    package static func authenticationCode(of bytes: [UInt8], by key: SymmetricKey) -> [UInt8] {
        unsafe key.withBytes { secret in
            unsafe LibCrypto.filled(SHA256.byteCount) {
                unsafe copenssl_hmac(secret.baseAddress, secret.count, bytes, bytes.count, $0)
            }
        }
    }

    /// Compares in constant time.
    package static func isValid(_ code: [UInt8], of bytes: [UInt8], by key: SymmetricKey) -> Bool {
        SHA256.areEqual(code, self.authenticationCode(of: bytes, by: key))
    }
}
