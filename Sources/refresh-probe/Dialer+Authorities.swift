import RefreshScenario
import WebSocketTransport

extension Dialer {
    /// What connects to the URL that a command names. With `wss` the authorities in the PEM file `ca` are believed, or
    /// the system's. Ends the tool where these cannot be read.
    convenience init(for url: String, ca: String?) throws {
        guard url.hasPrefix("wss://") else {
            try self.init()
            return
        }
        guard let authorities = TLSAuthorities(file: ca) else {
            Terminal.complain("\(ca ?? "the system's authorities"): cannot be read")
            throw ProbeStatus.unusable
        }
        try self.init(trusting: authorities)
    }
}
