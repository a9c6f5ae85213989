package import RefreshProtocol

/// The host of sessions, as an interface. In production, it is the `SessionHost` of the loop. The
/// host authenticates clients, and finds sessions for clients that resume.
package protocol SessionLocator: AnyObject {
    /// Registers the session at `key` as open. After this call, its client may resume it.
    func registerSession(_ session: String, at key: SessionKey)

    /// Records that the client of this session has certainly received the last `welcome`. This
    /// method is called at the first message that shows it, at most once after each `welcome`.
    func recordReceivedWelcome(of session: String)

    /// Authenticates a client that has just sent `hello`. If the answer is not known at once, this
    /// method returns nil, and the answer arrives later as `SessionInput.identified`. It never
    /// arrives before this method has returned.
    func authenticate(_ authenticationRequest: AuthenticationRequest, for requester: SessionKey)
        -> AdmissionVerdict?

    /// Looks for the session that a client asks to resume in its `hello`. The client's own session
    /// receives the answer: `SessionInput.refused`, `acceptHandoff` or `rebuild`. The answer never
    /// arrives before this method has returned.
    func resume(_ attempt: ResumeAttempt)
}
