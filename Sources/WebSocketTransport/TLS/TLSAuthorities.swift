import CLWS

/// The certificate authorities that a `Dialer` trusts.
///
/// The reason for `@unchecked Sendable`: `context` is set in `init` and never changed. OpenSSL
/// counts its references, and connections only read it. The context is not freed, because
/// libwebsockets' contexts store its address and are never destroyed.
@safe
package final class TLSAuthorities: @unchecked Sendable {
    let context: OpaquePointer

    /// Loads the authorities in the PEM file at `path`. If `path` is nil, loads the authorities of
    /// the system. Returns nil if there are none.
    package init?(file path: String? = nil) {
        guard let context = unsafe SSL_CTX_new(TLS_client_method()) else { return nil }
        let isLoaded =
            if let path {
                unsafe SSL_CTX_load_verify_file(context, path) == 1
            } else {
                unsafe SSL_CTX_set_default_verify_paths(context) == 1
            }
        guard isLoaded, unsafe clws_tls_set_version_floor(context) == 1 else {
            unsafe SSL_CTX_free(context)
            return nil
        }
        unsafe self.context = context
    }
}
