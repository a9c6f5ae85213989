package import RefreshConfiguration
package import RefreshProtocol
package import RefreshSession

/// Authenticates clients.
///
/// Any thread may call it. It never blocks the caller; slow work runs elsewhere.
package protocol Authenticator: Sendable {
    /// The metric's label.
    var mode: AuthMode { get }

    /// The details of the upgrade that it needs.
    var details: AuthenticationDetails { get }

    /// Returns the verdict if it is known at once. Otherwise returns nil and calls `later` with the
    /// verdict, once, on another thread, by `deadline` (the daemon's clock) or slightly after it.
    func authenticate(
        _ authenticationRequest: AuthenticationRequest, by deadline: Instant,
        _ later: @escaping @Sendable (AdmissionVerdict) -> Void
    ) -> AdmissionVerdict?
}

extension Authenticator {
    package var details: AuthenticationDetails { .nothing }
}
