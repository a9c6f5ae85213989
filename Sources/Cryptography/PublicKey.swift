internal import COpenSSL

/// A public key as OpenSSL has it, until nobody holds it any more.
///
/// Why `@unchecked Sendable`: it is never changed once it is made, and OpenSSL lets many threads
/// check signatures by one key.
@safe
final class PublicKey: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// Takes over what is there.
    init?(_ pointer: OpaquePointer?) {
        guard let pointer = unsafe pointer else { return nil }
        unsafe self.pointer = pointer
    }

    func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        withExtendedLifetime(self) { unsafe body(pointer) }
    }

    deinit { unsafe EVP_PKEY_free(pointer) }
}
