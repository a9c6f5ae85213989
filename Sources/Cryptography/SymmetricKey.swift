internal import COpenSSL

/// Secret bytes, which are overwritten when nobody holds them any more.
package struct SymmetricKey: Sendable {
    private let secret: Secret

    package init(_ bytes: [UInt8]) { secret = Secret(bytes) }

    package var byteCount: Int { unsafe secret.bytes.count }

    /// A copy, which is the caller's to keep.
    package var bytes: [UInt8] { unsafe withBytes { unsafe Array($0) } }

    /// One that nobody had before.
    package static func random() -> SymmetricKey {
        SymmetricKey(LibCrypto.random(AES256GCM.keyCount))
    }

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withExtendedLifetime(secret) { unsafe body(UnsafeBufferPointer(secret.bytes)) }
    }
}

extension SymmetricKey: Equatable {
    /// Takes as long whatever the bytes are.
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
    /// Says nothing of it, wherever it is printed.
    package var description: String { "a key of \(byteCount) bytes" }
}

/// Why `@unchecked Sendable`: the bytes are written in `init` and in `deinit` alone.
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
