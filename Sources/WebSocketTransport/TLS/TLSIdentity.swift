import CLWS
import Glibc

/// A validated certificate with its chain and private key, with which listeners authenticate.
///
/// The reason for `@unchecked Sendable`: all fields are set in `init`. The pointers refer to
/// reference-counted OpenSSL objects that are never changed. Handshakes on several loops retain
/// them, and OpenSSL counts references atomically.
@safe
package final class TLSIdentity: @unchecked Sendable {
    /// The keys that protect TLS session tickets. A new identity invalidates old tickets, so that
    /// all clients see the new certificate.
    let ticketKeys: [UInt8]
    private let certificate: OpaquePointer
    /// The intermediate certificates between this certificate and the authority.
    private let chain: OpaquePointer
    private let key: OpaquePointer

    /// Parses PEM. `certificate` contains the listener's own certificate first, then its chain.
    package init(certificate: [UInt8], key: [UInt8]) throws(TLSIdentityFault) {
        let certificates = unsafe try Self.certificates(in: certificate)
        do throws(TLSIdentityFault) {
            unsafe self.key = try Self.privateKey(in: key)
        } catch {
            unsafe certificates.forEach { unsafe X509_free($0) }
            throw error
        }
        guard let first = unsafe certificates.first, let chain = unsafe OPENSSL_sk_new_null()
        else {
            unsafe certificates.forEach { unsafe X509_free($0) }
            unsafe EVP_PKEY_free(self.key)
            throw .certificateUnreadable
        }
        unsafe self.certificate = first
        unsafe self.chain = chain
        unsafe certificates.dropFirst().forEach {
            unsafe OPENSSL_sk_push(chain, UnsafeRawPointer($0))
        }
        ticketKeys = (0..<Self.ticketKeyBytes).map { _ in .random(in: .min ... .max) }
        try check()
    }

    deinit {
        unsafe OPENSSL_sk_pop_free(chain) { unsafe X509_free(OpaquePointer($0)) }
        unsafe X509_free(certificate)
        unsafe EVP_PKEY_free(key)
    }

    /// The size that OpenSSL requires: a name, a signing key and an encryption key.
    private static let ticketKeyBytes = 80

    /// Sets this identity for one handshake. Returns false if OpenSSL has no memory left.
    func install(on handshake: OpaquePointer) -> Bool {
        // Without this call, an older certificate with another key type would stay and also be
        // offered.
        unsafe SSL_certs_clear(handshake)
        return unsafe SSL_use_cert_and_key(handshake, certificate, key, chain, 1) == 1
    }

    /// Returns whether certificate, chain and key equal those of the other identity.
    package func isSame(as other: TLSIdentity) -> Bool {
        let count = unsafe OPENSSL_sk_num(chain)
        guard unsafe X509_cmp(certificate, other.certificate) == 0,
            unsafe EVP_PKEY_eq(key, other.key) == 1,
            unsafe count == OPENSSL_sk_num(other.chain)
        else { return false }
        return (0..<max(0, count)).allSatisfy { index in
            unsafe X509_cmp(
                OpaquePointer(OPENSSL_sk_value(chain, index)),
                OpaquePointer(OPENSSL_sk_value(other.chain, index))) == 0
        }
    }

    private func check() throws(TLSIdentityFault) {
        guard unsafe X509_check_private_key(certificate, key) == 1 else { throw .keyForeign }
        if unsafe X509_cmp_time(X509_get0_notAfter(certificate), nil) < 0 { throw .expired }
        if unsafe X509_cmp_time(X509_get0_notBefore(certificate), nil) > 0 { throw .notYetValid }
        ERR_clear_error()
        guard let trial = unsafe SSL_CTX_new(TLS_server_method()) else {
            throw .unfit(reason: Self.lastError)
        }
        defer { unsafe SSL_CTX_free(trial) }
        guard unsafe SSL_CTX_use_cert_and_key(trial, certificate, key, chain, 1) == 1 else {
            throw .unfit(reason: Self.lastError)
        }
    }

    private static func certificates(
        in pem: [UInt8]
    ) throws(TLSIdentityFault) -> [OpaquePointer] {
        var found: [OpaquePointer] = unsafe []
        let isWhole = unsafe withText(pem) { text in
            ERR_clear_error()
            while let certificate = unsafe PEM_read_bio_X509(text, nil, nil, nil) {
                unsafe found.append(certificate)
            }
            return clws_pem_is_at_end() != 0
        }
        guard isWhole == true, unsafe !found.isEmpty else {
            unsafe found.forEach { unsafe X509_free($0) }
            throw .certificateUnreadable
        }
        return unsafe found
    }

    private static func privateKey(in pem: [UInt8]) throws(TLSIdentityFault) -> OpaquePointer {
        var isPassphraseRequested = false
        let key = unsafe withUnsafeMutablePointer(to: &isPassphraseRequested) { flag in
            unsafe withText(pem) { text in
                // Without a callback here, OpenSSL would ask for a passphrase at the terminal.
                unsafe PEM_read_bio_PrivateKey(
                    text, nil,
                    { _, _, _, flag in
                        unsafe flag?.assumingMemoryBound(to: Bool.self).pointee = true
                        return -1
                    }, flag)
            }
        }
        if let key = unsafe key ?? nil { return unsafe key }
        throw isPassphraseRequested ? .keyEncrypted : .keyUnreadable
    }

    private static func withText<Result>(
        _ pem: [UInt8], _ body: (OpaquePointer) -> Result
    ) -> Result? {
        unsafe pem.withUnsafeBytes { bytes in
            guard
                let text = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count))
            else { return nil }
            defer { unsafe BIO_free(text) }
            return unsafe body(text)
        }
    }

    private static var lastError: String {
        var text = [CChar](repeating: 0, count: 160)
        unsafe ERR_error_string_n(ERR_peek_last_error(), &text, text.count)
        return String(
            decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
