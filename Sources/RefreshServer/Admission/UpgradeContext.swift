internal import RefreshSession

/// How a client arrived, kept from its upgrade request to its `hello`.
final class UpgradeContext: Sendable {
    let arrival: AuthenticationRequest.Arrival
    /// The client's address, which is kept for longer; nil if the client is the peer.
    let client: ClientAddress?

    init(_ client: ClientAddress?, _ arrival: AuthenticationRequest.Arrival) {
        self.client = client
        self.arrival = arrival
    }
}
