/// The address of a client that a proxy speaks for; its connection keeps it.
final class ClientAddress: Sendable {
    /// Numeric, without the port.
    let text: String

    init(_ text: String) { self.text = text }

    /// Nil where the client itself is the other side of the connection.
    convenience init?(_ client: String, by peer: String) {
        guard client != peer else { return nil }
        self.init(client)
    }
}
