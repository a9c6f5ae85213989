internal import COpenSSL

/// A secret key. Its bytes are overwritten when the last copy is released.
package struct SymmetricKey: Sendable {
    private let secret: Secret

    package init(_ bytes: [UInt8]) { secret = Secret(bytes) }

    package var byteCount: Int { unsafe secret.bytes.count }

    /// A copy of the bytes. Unlike the bytes of the key, the copy is not overwritten on release.
    package var bytes: [UInt8] { unsafe withBytes { unsafe Array($0) } }

    /// A new random key of 32 bytes.
    package static func random() -> SymmetricKey {
        SymmetricKey(LibCrypto.random(AES256GCM.keyCount))
    }

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withExtendedLifetime(secret) { unsafe body(UnsafeBufferPointer(secret.bytes)) }
    }
}

extension SymmetricKey: Equatable {
    /// Compares in constant time.
    package static func == (left: SymmetricKey, right: SymmetricKey) -> Bool {
        guard left.byteCount == right.byteCount else { return false }
        return unsafe left.withBytes { left in
            unsafe right.withBytes { right in
                unsafe copenssl_equal(left.baseAddress, right.baseAddress, left.count) == 1
            }
        }
    }
}

extension SymmetricKey: CustomStringConvertible {
    /// The text does not contain the secret, so the secret cannot get into a log.
    package var description: String { "a key of \(byteCount) bytes" }
}

/// `@unchecked Sendable`, because the bytes are written only in `init` and in `deinit`.
@safe
private final class Secret: @unchecked Sendable {
    let bytes: UnsafeMutableBufferPointer<UInt8>

    init(_ bytes: [UInt8]) {
        unsafe self.bytes = .allocate(capacity: bytes.count)
        _ = unsafe self.bytes.initialize(fromContentsOf: bytes)
    }

    deinit {
        unsafe OPENSSL_cleanse(bytes.baseAddress, bytes.count)
        unsafe bytes.deallocate()
    }
}
