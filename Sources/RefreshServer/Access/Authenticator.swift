package import RefreshProtocol

/// Decides who a client is.
///
/// Any thread may ask. It never makes the asking thread wait: what takes time is done elsewhere.
package protocol Authenticator: Sendable {
    /// As metrics call it.
    var mode: AuthMode { get }

    /// What it wants to know of an upgrade.
    var details: VisitorDetails { get }

    /// The verdict, if it is known at once. Nil: `later` is called with it, once, on another
    /// thread; by `deadline` (the daemon's clock) or somewhat after it.
    func decide(
        _ visitor: Visitor, by deadline: Instant,
        _ later: @escaping @Sendable (AdmissionVerdict) -> Void
    ) -> AdmissionVerdict?
}

extension Authenticator {
    package var details: VisitorDetails { .nothing }
}
