import RefreshConfiguration
import RefreshProtocol
import RefreshServer
import RefreshSession

/// Authenticates a client by its token, either at once or after a delay.
///
/// `@unchecked Sendable`: a world runs on one thread.
final class SimulatedAuthenticator: Authenticator, @unchecked Sendable {
    private let agenda: Agenda
    private let lane: Int
    private var generator: SeededGenerator

    init(_ agenda: Agenda, seed: SeededGenerator) {
        self.agenda = agenda
        lane = agenda.newLane()
        generator = seed
    }

    let mode = AuthMode.token

    func authenticate(
        _ authenticationRequest: AuthenticationRequest, by deadline: Instant,
        _ later: @escaping @Sendable (AdmissionVerdict) -> Void
    ) -> AdmissionVerdict? {
        let verdict = AdmissionVerdict.admitted(Identity(subject: authenticationRequest.token))
        guard generator.chance(50) else { return verdict }
        agenda.after(generator.milliseconds(0, 200), lane: lane) { later(verdict) }
        return nil
    }
}
