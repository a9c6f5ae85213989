internal import Glibc
package import WebSocketTransport

// What listeners prove themselves with, and who is believed whom it speaks for: both can be changed
// while the daemon runs.
extension Server {
    /// The identity of `settings`; nil without any.
    static func identity(
        _ settings: TLSSettings?, log: DaemonLog
    ) throws(ServerError) -> TLSIdentity? {
        guard let settings else { return nil }
        do throws(TLSSettings.Mistake) {
            let identity = try settings.identity()
            warn(of: settings, log: log)
            return identity
        } catch {
            throw .configuration(ConfigurationError("tls.\(error.name): \(error.description)"))
        }
    }

    /// Reads certificate and key anew, from other files if others are given: new connections see
    /// them, those that stand keep what they have. From any thread.
    ///
    /// - Throws: what is wrong with the files; then nothing has changed. A daemon that was started
    ///   without TLS cannot begin with it.
    package func reloadCertificates(
        from settings: TLSSettings? = nil
    ) throws(TLSSettings.Mistake) {
        guard let settings = settings ?? parts.configuration.tls else { return }
        do throws(TLSSettings.Mistake) {
            use(try settings.identity(), from: settings)
        } catch {
            parts.log(.certificateRefused, [.reason: error.description])
            throw error
        }
    }

    /// The same, with files that were found in order before, as part of a greater change.
    package func use(_ identity: TLSIdentity, from settings: TLSSettings) {
        Self.warn(of: settings, log: parts.log)
        for loop in loops { loop.post { [loop] in loop.use(identity) } }
        parts.log(.certificateRead, [.file: settings.certificate])
    }

    /// Has other peers be believed whom they speak for, from their next request on. From any thread.
    package func trust(_ proxies: TrustedProxies) {
        parts.proxies.adopt(proxies)
        for loop in loops { loop.post { [loop] in loop.trust(proxies) } }
    }

    private static func warn(of settings: TLSSettings, log: DaemonLog) {
        if settings.isKeyExposed { log(.keyOpenToOthers, [.file: settings.key]) }
    }
}
