/// The result of an authentication.
package enum AdmissionVerdict: Hashable, Sendable {
    case admitted(Identity)
    /// The client is not admitted.
    case refused(AdmissionRefusal)
    /// The authentication could not be completed. The client may retry.
    case unavailable(AuthenticationFailure)

    /// The result's label in the metrics.
    package enum Result: String, CaseIterable, Sendable { case admitted, refused, unavailable }

    package var result: Result {
        switch self {
        case .admitted: .admitted
        case .refused: .refused
        case .unavailable: .unavailable
        }
    }

    /// The reason, a short fixed text without any part of the token; nil if the client is admitted.
    package var reason: String? {
        switch self {
        case .admitted: nil
        case .refused(let refusal): refusal.rawValue
        case .unavailable(let failure): failure.rawValue
        }
    }
}
