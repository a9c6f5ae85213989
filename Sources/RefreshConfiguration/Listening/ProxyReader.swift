internal import WebSocketTransport
internal import Yams

/// Reads `proxies` of a configuration file.
enum ProxyReader {
    /// Returns the addresses and networks without duplicates, and reports those that are invalid.
    static func proxies(_ node: Node, with reader: inout SettingsReader) -> TrustedProxies {
        var ranges: [AddressRange] = []
        for item in reader.list(node, key: "proxies") {
            guard let text = reader.string(item, key: "proxies") else { continue }
            guard let range = AddressRange(text) else {
                reader.report(
                    "`\(text)` is not an address or network; write 10.0.0.7, 10.0.0.0/8, fd00::1 "
                        + "or fd00::/8, with no bits beyond the prefix",
                    key: "proxies", at: item)
                continue
            }
            if ranges.contains(range) {
                reader.report("`\(text)` occurs twice", key: "proxies", at: item)
            } else {
                ranges.append(range)
            }
        }
        return TrustedProxies(ranges)
    }
}
