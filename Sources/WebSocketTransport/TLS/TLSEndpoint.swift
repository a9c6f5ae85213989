import CLWS

/// The TLS state of one event loop: the current identity of its listeners, and the OpenSSL context
/// that libwebsockets made for them.
///
/// libwebsockets could load a certificate itself. However, if a chain is passed in memory,
/// libwebsockets uses only the first certificate of the chain. It also keeps the old certificate
/// beside a new one of another key type. For these two reasons, each handshake gets the current
/// identity from this object. Open connections keep their identity.
///
/// An endpoint is created with its loop, and then used only on the loop's thread.
@safe
final class TLSEndpoint {
    private var identity: TLSIdentity
    /// libwebsockets' context, set by `prepare`.
    private var context: OpaquePointer?

    init(_ identity: TLSIdentity) {
        self.identity = identity
    }

    /// The ciphers of TLS 1.2, all with forward secrecy and authenticated encryption. For TLS 1.3,
    /// OpenSSL's defaults apply.
    static let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20"

    /// The only ALPN protocol offered, so that a peer cannot select HTTP/2.
    static let protocolName = "http/1.1"

    /// Configures libwebsockets' context. It is called once, while the virtual host is created. A
    /// nonzero result aborts the creation.
    func prepare(_ context: OpaquePointer) -> Int32 {
        guard unsafe clws_tls_set_version_floor(context) == 1 else { return -1 }
        unsafe clws_tls_set_server_options(context)
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe SSL_CTX_set_cert_cb(
            context,
            { handshake, endpoint in
                guard let handshake = unsafe handshake, let endpoint = unsafe endpoint else {
                    return 0
                }
                return unsafe Unmanaged<TLSEndpoint>.fromOpaque(endpoint)._withUnsafeGuaranteedRef {
                    unsafe $0.identity.install(on: handshake) ? 1 : 0
                }
            }, me)
        unsafe self.context = context
        return renewTickets() ? 0 : -1
    }

    /// Uses another identity for new connections. Open connections and unfinished handshakes keep
    /// their identity.
    func use(_ identity: TLSIdentity) {
        self.identity = identity
        _ = renewTickets()
    }

    private func renewTickets() -> Bool {
        guard let context = unsafe context else { return false }
        var keys = identity.ticketKeys
        return unsafe clws_tls_set_ticket_keys(context, &keys, keys.count) == 1
    }
}
