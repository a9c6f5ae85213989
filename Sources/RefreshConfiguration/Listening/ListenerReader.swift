internal import WebSocketTransport
internal import Yams

/// Reads the addresses at which the daemon accepts connections, the addresses of trusted proxies,
/// and the permitted web origins.
enum ListenerReader {
    /// Returns the addresses of `listen` without duplicates. The value is one address or a list.
    static func listeners(
        _ top: SettingsMapping, with reader: inout SettingsReader
    ) -> [ListenAddress] {
        addresses("listen", in: top, with: &reader).map(\.address)
    }

    /// Returns the addresses of `admin`. Reports each address that is not a loopback address, or
    /// that `listen` contains too.
    static func adminListeners(
        _ top: SettingsMapping, besides listeners: [ListenAddress],
        with reader: inout SettingsReader
    ) -> [ListenAddress] {
        addresses("admin", in: top, with: &reader).map { address, node in
            if !address.isLoopback {
                reader.report(
                    "`\(address)` can be reached from other machines; use 127.0.0.0/8, [::1] or "
                        + "localhost",
                    key: "admin", at: node)
            } else if address.port != 0, listeners.contains(address) {
                reader.report("`\(address)` is also in listen", key: "admin", at: node)
            }
            return address
        }
    }

    private static func addresses(
        _ key: String, in top: SettingsMapping, with reader: inout SettingsReader
    ) -> [(address: ListenAddress, node: Node)] {
        var addresses: [(address: ListenAddress, node: Node)] = []
        for item in reader.list(key, in: top) {
            guard let text = reader.string(item, key: key) else { continue }
            do throws(ListenAddress.Malformed) {
                let address = try ListenAddress(text)
                if address.port != 0, addresses.contains(where: { $0.address == address }) {
                    reader.report("`\(text)` occurs twice", key: key, at: item)
                } else {
                    addresses.append((address, item))
                }
            } catch {
                reader.report(error.description, key: key, at: item)
            }
        }
        if let node = top[key], case .sequence(let sequence) = node, sequence.isEmpty {
            reader.report("at least one address is required", key: key, at: node)
        }
        return addresses
    }

    /// Returns the addresses and networks of trusted proxies without duplicates, and reports
    /// invalid ones.
    static func proxies(
        _ top: SettingsMapping, with reader: inout SettingsReader
    ) -> TrustedProxies {
        var ranges: [AddressRange] = []
        for item in reader.list("proxies", in: top) {
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

    /// Returns the origins of web pages that may open sessions, and reports invalid ones.
    static func origins(
        _ top: SettingsMapping, with reader: inout SettingsReader
    ) -> Set<WebOrigin> {
        var origins: Set<WebOrigin> = []
        for item in reader.list("origins", in: top) {
            guard let text = reader.string(item, key: "origins") else { continue }
            guard let origin = WebOrigin(text) else {
                reader.report(
                    "`\(text)` is not an origin; write scheme://host or scheme://host:port, "
                        + "http or https, without wildcards or a path",
                    key: "origins", at: item)
                continue
            }
            origins.insert(origin)
        }
        return origins
    }
}
