internal import COpenSSL

/// Authenticated encryption with AES-256-GCM. A sealed text consists of the nonce (12 bytes), the
/// ciphertext and the tag (16 bytes). Source: NIST SP 800-38D.
package enum AES256GCM {
    package static let keyCount = Int(COPENSSL_KEY_COUNT)
    package static let nonceCount = Int(COPENSSL_NONCE_COUNT)
    package static let tagCount = Int(COPENSSL_TAG_COUNT)

    /// Encrypts `bytes`. The tag also authenticates `head`, which the result does not contain. If
    /// `nonce` is nil, a random nonce is used. Returns nil if the key or the nonce has the wrong
    /// length.
    package static func seal(
        _ bytes: [UInt8], by key: SymmetricKey, nonce: [UInt8]? = nil, authenticating head: [UInt8]
    ) -> [UInt8]? {
        let nonce = nonce ?? LibCrypto.random(nonceCount)
        guard key.byteCount == keyCount, nonce.count == nonceCount else { return nil }
        var tag = [UInt8](repeating: 0, count: tagCount)
        let text = unsafe key.withBytes { key in
            unsafe filled(bytes.count) { out in
                unsafe copenssl_gcm(
                    1, key.baseAddress, nonce, head, head.count, bytes, bytes.count,
                    out.baseAddress, &tag)
            }
        }
        return text.map { nonce + $0 + tag }
    }

    /// Decrypts a text that `seal` returned. Returns nil if the text was changed, or if it was
    /// sealed with another key or another head.
    package static func open(
        _ sealed: ArraySlice<UInt8>, by key: SymmetricKey, authenticating head: [UInt8]
    ) -> [UInt8]? {
        guard key.byteCount == keyCount, sealed.count >= nonceCount + tagCount else { return nil }
        let nonce = Array(sealed.prefix(nonceCount))
        let bytes = Array(sealed.dropFirst(nonceCount).dropLast(tagCount))
        var tag = Array(sealed.suffix(tagCount))
        return unsafe key.withBytes { key in
            unsafe filled(bytes.count) { out in
                unsafe copenssl_gcm(
                    0, key.baseAddress, nonce, head, head.count, bytes, bytes.count,
                    out.baseAddress, &tag)
            }
        }
    }

    /// Returns `count` bytes that `fill` wrote. If `fill` does not return 1, its output is
    /// overwritten, and the result is nil.
    private static func filled(
        _ count: Int, by fill: (UnsafeMutableBufferPointer<UInt8>) -> Int32
    ) -> [UInt8]? {
        var isGood = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { out, filled in
            isGood = unsafe fill(out) == 1
            if isGood { filled = count } else { unsafe OPENSSL_cleanse(out.baseAddress, count) }
        }
        return isGood ? bytes : nil
    }
}
