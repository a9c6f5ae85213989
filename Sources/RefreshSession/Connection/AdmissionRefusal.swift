/// Why a client is refused. The raw values are the reasons in the log. Clients receive
/// `unauthorized` without a reason.
package enum AdmissionRefusal: String, CaseIterable, Error, Sendable {
    case noToken = "no token"
    case unknownToken = "unknown token"
    case mayNotConnect = "the token may not connect"
    /// The external authentication service refused the client.
    case denied = "denied by the service"

    // The following cases are for JSON Web Tokens.
    case malformed = "not a JSON Web Token"
    case criticalExtension = "unsupported critical extension"
    case algorithm = "algorithm not accepted"
    case unknownKey = "unknown key"
    case signature = "wrong signature"
    case claims = "claims missing or malformed"
    case expired = "expired"
    case notYetValid = "not yet valid"
    case issuedInFuture = "issued in the future"
    case issuer = "other issuer"
    case audience = "other audience"
    case subject = "invalid subject"
}
