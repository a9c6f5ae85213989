/// Finds sessions for clients that resume. It is the host, as its sessions see it.
package protocol SessionLocator: AnyObject {
    /// Registers the session at `key` as open. From now on its client may resume it.
    func registerSession(_ session: String, at key: SessionKey)

    /// Authenticates a client that has just sent `hello`, if that is possible at once. If nil, the
    /// answer comes as `SessionInput.identified`, never before this method has returned.
    func authenticate(_ authenticationRequest: AuthenticationRequest, for asking: SessionKey)
        -> AdmissionVerdict?

    /// Looks for the session that a client has asked for in its `hello`. The answer goes to the
    /// client's own session, as `SessionInput.refused`, by `acceptHandoff` or by `rebuild`; never
    /// before this method has returned.
    func resume(_ wish: ResumeAttempt)
}
