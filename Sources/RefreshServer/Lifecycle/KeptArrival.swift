/// How a client has come, from its upgrade to its `hello`.
final class KeptArrival: Sendable {
    let arrival: Visitor.Arrival
    /// What is kept for longer; nil: it is the peer.
    let client: ClientAddress?

    init(_ client: ClientAddress?, _ arrival: Visitor.Arrival) {
        self.client = client
        self.arrival = arrival
    }
}
