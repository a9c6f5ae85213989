/// The address of a client behind a proxy. It is stored with the client's connection.
final class ClientAddress: Sendable {
    /// Numeric, without the port.
    let text: String

    init(_ text: String) { self.text = text }

    /// Creates the address; nil if the client itself is the peer of the connection.
    convenience init?(_ client: String, by peer: String) {
        guard client != peer else { return nil }
        self.init(client)
    }
}
