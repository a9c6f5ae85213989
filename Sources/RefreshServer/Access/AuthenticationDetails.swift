/// The details of an upgrade that are kept until `hello` because the authenticator needs them.
package enum AuthenticationDetails: Hashable, Sendable {
    /// Nothing is kept.
    case nothing
    /// The peer's address, the origin, and the headers with the given names. The names are in lower
    /// case.
    case arrival(headers: [String])
}
