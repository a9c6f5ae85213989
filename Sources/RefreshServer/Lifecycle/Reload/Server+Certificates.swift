internal import Glibc
internal import RefreshConfiguration
internal import Synchronization
package import WebSocketTransport

// Replaces, while the daemon runs, the certificate of the listeners and the set of trusted proxies.
extension Server {
    /// Uses a checked certificate for new connections. Existing connections keep their certificate.
    /// If `identity` is already in use, nothing happens. May be called on any thread.
    func use(_ identity: TLSIdentity, from settings: TLSSettings) {
        let isNew = self.identity.withLock { current in
            defer { current = identity }
            return current.map { !$0.isSame(as: identity) } ?? true
        }
        Self.warn(of: settings, log: parts.log)
        guard isNew else { return }
        for loop in loops { loop.post { [loop] in loop.use(identity) } }
        parts.log(.certificateRead, [.file: settings.certificate])
    }

    /// Replaces the set of proxies whose forwarding headers are trusted. The new set applies to all
    /// later requests. May be called on any thread.
    package func trust(_ proxies: TrustedProxies) {
        parts.proxies.update(proxies)
        for loop in loops { loop.post { [loop] in loop.trust(proxies) } }
    }

    /// Logs a warning for each file of `tls` and `cluster` that contains a secret and is accessible
    /// to users other than its owner.
    static func warn(of configuration: Configuration, log: DaemonLog) {
        if let settings = configuration.tls { warn(of: settings, log: log) }
        for file in configuration.cluster?.exposedFiles ?? [] {
            log(.keyOpenToOthers, [.file: file])
        }
    }

    static func warn(of settings: TLSSettings, log: DaemonLog) {
        if settings.isKeyExposed { log(.keyOpenToOthers, [.file: settings.key]) }
    }
}
