/// Who finds sessions for those who come back: the host, as its sessions see it.
package protocol Reception: AnyObject {
    /// The session at `key` is open: from now on its client may come back to it.
    func opened(_ session: String, at key: SessionKey)

    /// A client has just said `hello`: who it is, if that is known at once. Nil: the answer comes
    /// as `Session.identified`, never before this has returned.
    func identify(_ visitor: Visitor, for asking: SessionKey) -> AdmissionVerdict?

    /// A client that has just said `hello` wants to go on with another session than its own. The
    /// answer comes to its own, as `resumeRefused`, `comeBack` or `rebuild`; never before this has
    /// returned.
    func resume(_ wish: ResumeWish)
}
