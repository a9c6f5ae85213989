import CLWS
import Glibc

// Listening is ours, not the library's: its own binds the wrong address (L4) and cannot share a
// port between loops (L3).
extension EventLoop {
    /// How many connections are accepted before others get their turn.
    private static let acceptsInARowMax = 64

    /// Closes the listening sockets, or those of them that have no reserve
    /// (`ListeningSocket.hasReserve`); open connections stay. Loop thread only.
    package func closeListeners(keepingReserve: Bool = false) {
        checkThread()
        unsafe listening.removeAll { wsi in
            if keepingReserve, unsafe traits(of: wsi).contains(.reserve) { return false }
            unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_ASYNC)
            return true
        }
    }

    private func traits(of wsi: OpaquePointer) -> ListenerTraits {
        ListenerTraits(rawValue: UInt(bitPattern: unsafe lws_get_opaque_user_data(wsi)))
    }

    /// Has new connections see another certificate; those that stand keep theirs. Without effect on
    /// a loop that was made without an identity. Loop thread only.
    package func use(_ identity: TLSIdentity) {
        checkThread()
        endpoint?.use(identity)
    }

    /// Has other peers be believed whom they speak for, from the next request on. Loop thread only.
    package func trust(_ proxies: TrustedProxies) {
        checkThread()
        self.proxies = proxies
    }

    func startAccepting(on listener: ListeningSocket) {
        var watched = lws_sock_file_fd_type()
        unsafe watched.filefd = listener.descriptor
        let wsi = unsafe "\(ServiceParts.listenerProtocol)".withCString { name in
            unsafe lws_adopt_descriptor_vhost(
                parts.listenerHost, LWS_ADOPT_RAW_FILE_DESC, watched, name, nil)
        }
        guard let wsi = unsafe wsi else { return }
        // A number, which the library keeps in place of an address.
        let traits = ListenerTraits(of: listener).rawValue
        unsafe lws_set_opaque_user_data(wsi, UnsafeMutableRawPointer(bitPattern: traits))
        unsafe listening.append(wsi)
    }

    /// Accepts what waits on a listener and hands it to the library.
    func acceptFrom(_ wsi: OpaquePointer) {
        checkThread()
        let listener = unsafe lws_get_socket_fd(wsi)
        let traits = unsafe traits(of: wsi)
        // Where other loops accept too, one that takes all it finds would leave them none.
        for _ in 0..<(traits.contains(.shared) ? 1 : Self.acceptsInARowMax) {
            let descriptor = clws_accept(listener)
            if descriptor >= 0 {
                if hasRoom(for: descriptor, traits), spareFiles.refill() {
                    take(descriptor, traits)
                } else {
                    giveBack(descriptor, traits)
                }
                continue
            }
            let code = errno
            if let shortage = Shortage(errno: code) {
                if refuse(shortage, on: listener, traits) { continue }
                // Nothing can be accepted, and the listener stays readable: rest, do not spin.
                unsafe lws_rx_flow_control(wsi, 0)
                acceptTimer.arm(inMicroseconds: 100_000)
                return
            }
            guard code == EINTR || code == ECONNABORTED || code == EPROTO else { return }
        }
    }

    /// Whether a connection leaves as many files free as it should. A new file has the lowest
    /// number that is free: so its number tells, without counting, how many are open at the least.
    private func hasRoom(for descriptor: Int32, _ traits: ListenerTraits) -> Bool {
        traits.contains(.reserve) || Int(descriptor) < configuration.clientFilesMax
    }

    func resumeAccepting() {
        unsafe listening.forEach { unsafe lws_rx_flow_control($0, 1) }
    }
}
