/// The reason why a certificate and a key cannot be used.
package enum TLSIdentityFault: Error, Hashable, Sendable {
    /// The certificate file contains no certificate, or a certificate of its chain is damaged.
    case certificateUnreadable
    /// The key file contains no private key.
    case keyUnreadable
    /// The key is encrypted, and the daemon cannot ask for a passphrase.
    case keyEncrypted
    /// The key belongs to another certificate.
    case keyForeign
    /// The certificate has expired.
    case expired
    /// The certificate is not valid yet.
    case notYetValid
    /// OpenSSL rejects the pair as too weak, or does not support its type.
    case unfit(reason: String)

    /// Whether the fault is in the key and not in the certificate.
    package var isOfKey: Bool {
        switch self {
        case .keyUnreadable, .keyEncrypted, .keyForeign: true
        case .certificateUnreadable, .expired, .notYetValid, .unfit: false
        }
    }

    /// The reason as the second part of a sentence whose first part is the file's name.
    package var reason: String {
        switch self {
        case .certificateUnreadable: "is not a certificate chain in PEM"
        case .keyUnreadable: "is not a private key in PEM"
        case .keyEncrypted: "is encrypted; write it without a passphrase"
        case .keyForeign: "does not match the certificate"
        case .expired: "has expired"
        case .notYetValid: "is not valid yet"
        case .unfit(let reason): "is not accepted by OpenSSL: \(reason)"
        }
    }
}
