/// Why a certificate and a key are not fit to listen with.
package enum TLSIdentityFault: Error, Hashable, Sendable {
    /// The certificate's file holds none, or one of its chain is damaged.
    case certificateUnreadable
    /// The key's file holds none.
    case keyUnreadable
    /// The key asks for a passphrase, which nobody could type.
    case keyEncrypted
    /// The key is another certificate's.
    case keyForeign
    /// The certificate has ended.
    case expired
    /// The certificate holds only later.
    case notYetValid
    /// OpenSSL takes the pair for too weak, or has no use for its kind.
    case unfit(reason: String)

    /// Whether the key is to blame, not the certificate.
    package var isOfKey: Bool {
        switch self {
        case .keyUnreadable, .keyEncrypted, .keyForeign: true
        case .certificateUnreadable, .expired, .notYetValid, .unfit: false
        }
    }

    /// Completes a sentence that begins with the file's name.
    package var reason: String {
        switch self {
        case .certificateUnreadable: "is not a chain of certificates in PEM"
        case .keyUnreadable: "is not a private key in PEM"
        case .keyEncrypted: "is encrypted; write it without a passphrase"
        case .keyForeign: "is not the key of the certificate"
        case .expired: "has expired"
        case .notYetValid: "is not valid yet"
        case .unfit(let reason): "is not accepted by OpenSSL: \(reason)"
        }
    }
}
