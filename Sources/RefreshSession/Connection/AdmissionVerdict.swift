/// The result of an authentication.
package enum AdmissionVerdict: Hashable, Sendable {
    case admitted(Identity)
    /// The client is not admitted.
    case refused(AdmissionRefusal)
    /// The authentication could not be completed. The client may retry.
    case unavailable(AuthenticationFailure)

    /// The metric's label of the result.
    package enum Result: String, CaseIterable, Sendable { case admitted, refused, unavailable }

    package var result: Result {
        switch self {
        case .admitted: .admitted
        case .refused: .refused
        case .unavailable: .unavailable
        }
    }

    /// The reason in a few fixed words that contain nothing of the token; nil if the client is
    /// admitted.
    package var reason: String? {
        switch self {
        case .admitted: nil
        case .refused(let refusal): refusal.rawValue
        case .unavailable(let trouble): trouble.rawValue
        }
    }
}
