/// What of an upgrade has to be kept until `hello`, because the authenticator asks for it.
package enum VisitorDetails: Hashable, Sendable {
    /// Nothing: then nothing is kept.
    case nothing
    /// The peer's address, the origin, and these headers, names in lower case.
    case arrival(headers: [String])
}
