import ArgumentParser
import RefreshConfiguration
import RefreshServer
import ScenarioKit
import WebSocketTransport

extension ServerURL {
    /// Parses a URL, the value of an option. The parser of the command line adds the option's name
    /// to errors.
    static func argument(_ text: String) throws -> ServerURL {
        do throws(Malformed) {
            return try ServerURL(text)
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// Checks that `ca`, a file with certificate authorities, is given only together with a URL
    /// that uses TLS.
    static func check(ca: String?, for urls: ServerURL?...) throws {
        guard ca == nil || urls.contains(where: { $0?.target.isEncrypted == true }) else {
            throw ValidationError("--ca: only with a URL that begins with wss://")
        }
    }
}

extension ListenAddress {
    /// Parses an address to listen on, the value of an option.
    static func argument(_ text: String) throws -> ListenAddress {
        do throws(Malformed) {
            return try ListenAddress(text)
        } catch {
            throw ValidationError(error.description)
        }
    }
}
