import CLWS

/// A loop's side of TLS: the identity that its listeners have now, and the library's context for
/// it.
///
/// The library would load a certificate by itself, but keeps of one in memory only the first of its
/// chain, and a replaced certificate of another kind beside the old one. So each handshake is given
/// the identity of the moment: connections that stand keep what they began with.
///
/// Made with the loop, and then touched by its thread alone.
@safe
final class TLSEndpoint {
    private var identity: TLSIdentity
    /// The library's, from `prepare` on.
    private var context: OpaquePointer?

    init(_ identity: TLSIdentity) {
        self.identity = identity
    }

    /// For TLS 1.2: forward secrecy, and encryption that authenticates. Those of TLS 1.3 are
    /// OpenSSL's own.
    static let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20"

    /// The only protocol spoken within, so that a peer cannot choose HTTP/2 (L5).
    static let protocolName = "http/1.1"

    /// Sets up the library's context; called once, while its virtual host is being made. Not 0 ends
    /// that.
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

    /// Has new connections see another identity. Those that stand, and those in the middle of their
    /// handshake, keep the one they have seen.
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
