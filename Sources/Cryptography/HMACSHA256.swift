internal import COpenSSL

/// Codes by which who has a secret knows that a text is of one who has it too. Source: RFC 2104.
package enum HMACSHA256 {
    package static func code(of bytes: [UInt8], by key: SymmetricKey) -> [UInt8] {
        unsafe key.withBytes { secret in
            unsafe LibCrypto.filled(SHA256.byteCount) {
                unsafe copenssl_hmac(secret.baseAddress, secret.count, bytes, bytes.count, $0)
            }
        }
    }

    /// Takes as long whatever the code is.
    package static func isValid(_ code: [UInt8], of bytes: [UInt8], by key: SymmetricKey) -> Bool {
        SHA256.areEqual(code, self.code(of: bytes, by: key))
    }
}
