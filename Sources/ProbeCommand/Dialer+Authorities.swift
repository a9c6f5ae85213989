import ScenarioKit
import WebSocketTransport

extension Dialer {
    /// Creates a dialer for the URL of a command. For `wss`, the dialer trusts the certificate
    /// authorities in the PEM file `ca` or, by default, those of the system. If the authorities
    /// cannot be read, prints an error and throws the exit status.
    convenience init(for url: ServerURL, ca: String?) throws {
        guard url.target.isEncrypted else {
            try self.init()
            return
        }
        try self.init(trusting: try Self.authorities(ca))
    }

    /// Returns the certificate authorities of the PEM file, or those of the system if `file` is
    /// nil. If the authorities cannot be read, prints an error and throws the exit status.
    static func authorities(_ file: String?) throws -> TLSAuthorities {
        guard let authorities = TLSAuthorities(file: file) else {
            Terminal.printError("\(file ?? "the system's authorities"): cannot be read")
            throw ProbeStatus.unusable
        }
        return authorities
    }
}
