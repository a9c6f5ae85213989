internal import RefreshSession

/// The details of a client's upgrade request that are kept until its `hello`.
final class UpgradeContext: Sendable {
    let arrival: AuthenticationRequest.Arrival
    /// The client's address, which is kept after `hello` too; nil if the client is the peer.
    let client: ClientAddress?

    init(_ client: ClientAddress?, _ arrival: AuthenticationRequest.Arrival) {
        self.client = client
        self.arrival = arrival
    }
}
