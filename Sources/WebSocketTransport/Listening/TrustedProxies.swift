/// The reverse proxies whose forwarding headers are trusted. All results depend only on the input.
package struct TrustedProxies: Hashable, Sendable {
    /// The addresses of the proxies.
    package let ranges: [AddressRange]

    /// The client of a request: its address, and whether it uses TLS.
    struct Client: Hashable {
        var address: String
        var isEncrypted: Bool
    }

    /// Trusts the proxies at the addresses of `ranges`. If `ranges` is empty, no forwarding header
    /// is trusted.
    package init(_ ranges: [AddressRange] = []) {
        self.ranges = ranges
    }

    /// Returns whether the numeric address belongs to a trusted proxy.
    package func contains(_ address: String) -> Bool {
        ranges.contains { $0.contains(address) }
    }

    /// Returns the client of a request from `peer`.
    func client(of head: RequestHead, peer: String) -> Client {
        guard contains(peer) else { return Client(address: peer, isEncrypted: head.isEncrypted) }
        return Client(
            address: client(peer: peer, forwardedFor: head.forwardedFor),
            isEncrypted: head.forwardedScheme.map { $0.lowercased() == "https" }
                ?? head.isEncrypted)
    }

    /// Returns the last address in `X-Forwarded-For` that is not a trusted proxy, in canonical
    /// form. The addresses before this one may be forged. If all addresses are those of trusted
    /// proxies, returns the first address. If there is no header, or an element is not an address,
    /// returns the peer's address.
    func client(peer: String, forwardedFor header: String?) -> String {
        guard let header else { return peer }
        var client = peer
        for part in header.split(separator: ",", omittingEmptySubsequences: false).reversed() {
            let text = part.drop { $0 == " " || $0 == "\t" }.reversed()
                .drop { $0 == " " || $0 == "\t" }.reversed()
            guard let address = AddressRange.canonical(String(text)) else { return peer }
            client = address
            if !contains(address) { break }
        }
        return client
    }
}
