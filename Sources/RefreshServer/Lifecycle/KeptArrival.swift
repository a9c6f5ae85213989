/// How a client has come, from its upgrade to its `hello`.
final class KeptArrival: Sendable {
    let arrival: Visitor.Arrival

    init(_ arrival: Visitor.Arrival) { self.arrival = arrival }
}
