package import RefreshConfiguration
package import RefreshProtocol
package import RefreshSession

/// Authenticates clients.
///
/// Any thread may use an authenticator. It never blocks the caller, because slow work runs on other
/// threads.
package protocol Authenticator: Sendable {
    /// The label of the authenticator in the metrics.
    var mode: AuthMode { get }

    /// The details of the upgrade that the authenticator needs.
    var details: AuthenticationDetails { get }

    /// Returns the result of the authentication if it is known at once. If it is not, returns nil,
    /// and calls `later` once with the result, on another thread. `later` is called before
    /// `deadline` (on the daemon's clock), or slightly after it.
    func authenticate(
        _ authenticationRequest: AuthenticationRequest, by deadline: Instant,
        _ later: @escaping @Sendable (AdmissionVerdict) -> Void
    ) -> AdmissionVerdict?
}

extension Authenticator {
    package var details: AuthenticationDetails { .nothing }
}
