/// The sessions' interface to their host: it authenticates clients, and finds sessions for clients
/// that resume.
package protocol SessionLocator: AnyObject {
    /// Registers the session at `key` as open. From now on its client may resume it.
    func registerSession(_ session: String, at key: SessionKey)

    /// Authenticates a client that has just sent `hello`, if that is possible at once. If it
    /// returns nil, the answer arrives as `SessionInput.identified`, never before this method has
    /// returned.
    func authenticate(_ authenticationRequest: AuthenticationRequest, for requester: SessionKey)
        -> AdmissionVerdict?

    /// Looks for the session that a client asks to resume in its `hello`. The client's own session
    /// receives the answer: `SessionInput.refused`, `acceptHandoff` or `rebuild`. It never arrives
    /// before this method has returned.
    func resume(_ attempt: ResumeAttempt)
}
