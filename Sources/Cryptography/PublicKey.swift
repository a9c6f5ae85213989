internal import COpenSSL

/// Owns a public key that OpenSSL has allocated, and frees it.
///
/// `@unchecked Sendable`, because the key is immutable, and OpenSSL allows several threads to
/// verify signatures with one key.
@safe
final class PublicKey: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// Takes ownership of the key. Returns nil for a null pointer.
    init?(_ pointer: OpaquePointer?) {
        guard let pointer = unsafe pointer else { return nil }
        unsafe self.pointer = pointer
    }

    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        withExtendedLifetime(self) { unsafe body(pointer) }
    }

    deinit { unsafe EVP_PKEY_free(pointer) }
}
