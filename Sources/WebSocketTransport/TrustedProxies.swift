/// The reverse proxies that are believed whom they speak for. Pure.
package struct TrustedProxies: Hashable, Sendable {
    /// Their addresses.
    package let ranges: [AddressRange]

    /// Who asks, and whether in private.
    struct Client: Hashable {
        var address: String
        var isEncrypted: Bool
    }

    /// Those at the addresses of `ranges`; without any, nobody is believed.
    package init(_ ranges: [AddressRange] = []) {
        self.ranges = ranges
    }

    /// Whether that numeric address is a proxy's.
    package func contains(_ address: String) -> Bool {
        ranges.contains { $0.contains(address) }
    }

    /// Who sent a request that came from `peer`.
    func client(of head: RequestHead, peer: String) -> Client {
        guard contains(peer) else { return Client(address: peer, isEncrypted: head.isEncrypted) }
        return Client(
            address: client(peer: peer, forwardedFor: head.forwardedFor),
            isEncrypted: head.forwardedScheme.map { $0.lowercased() == "https" }
                ?? head.isEncrypted)
    }

    /// The last of the addresses in `X-Forwarded-For` that is no proxy's, in canonical spelling:
    /// what stands before it was written by who knows whom. The first if all are proxies'; the
    /// peer's own if there are none, or something else stands there.
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
