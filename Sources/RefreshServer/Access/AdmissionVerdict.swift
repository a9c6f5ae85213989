/// What an authenticator found out.
package enum AdmissionVerdict: Hashable, Sendable {
    case admitted(Identity)
    /// Whoever it is, it is not let in.
    case refused(AdmissionRefusal)
    /// Nobody could say. It may come again.
    case unavailable(AdmissionTrouble)

    /// As the metric calls it.
    package enum Result: String, CaseIterable, Sendable { case admitted, refused, unavailable }

    package var result: Result {
        switch self {
        case .admitted: .admitted
        case .refused: .refused
        case .unavailable: .unavailable
        }
    }

    /// Why, in a few fixed words that hold nothing of the token; nil of one that is admitted.
    package var reason: String? {
        switch self {
        case .admitted: nil
        case .refused(let refusal): refusal.rawValue
        case .unavailable(let trouble): trouble.rawValue
        }
    }
}
