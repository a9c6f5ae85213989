internal import Glibc
internal import Synchronization
package import WebSocketTransport

// What listeners prove themselves with, and who is believed whom it speaks for: both can be changed
// while the daemon runs.
extension Server {
    /// Has new connections see that certificate, which was found in order; those that stand keep
    /// what they have. If it is the one that they see anyway nothing happens. From any thread.
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

    /// Has other peers be believed whom they speak for, from their next request on. From any
    /// thread.
    package func trust(_ proxies: TrustedProxies) {
        parts.proxies.adopt(proxies)
        for loop in loops { loop.post { [loop] in loop.trust(proxies) } }
    }

    static func warn(of settings: TLSSettings, log: DaemonLog) {
        if settings.isKeyExposed { log(.keyOpenToOthers, [.file: settings.key]) }
    }
}
