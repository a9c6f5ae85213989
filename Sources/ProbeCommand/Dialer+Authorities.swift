import RefreshScenario
import WebSocketTransport

extension Dialer {
    /// What connects to the URL that a command names. With `wss` the authorities in the PEM file
    /// `ca` are believed, or the system's. Ends the tool where these cannot be read.
    convenience init(for url: ServerURL, ca: String?) throws {
        guard url.target.isEncrypted else {
            try self.init()
            return
        }
        try self.init(trusting: try Self.authorities(ca))
    }

    /// Those in the PEM file, or, without one, the system's. Ends the tool where they cannot be
    /// read.
    static func authorities(_ file: String?) throws -> TLSAuthorities {
        guard let authorities = TLSAuthorities(file: file) else {
            Terminal.complain("\(file ?? "the system's authorities"): cannot be read")
            throw ProbeStatus.unusable
        }
        return authorities
    }
}
