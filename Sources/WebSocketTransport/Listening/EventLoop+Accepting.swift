import CLWS
import Glibc

// Listening is implemented here and not by libwebsockets, which binds the wrong address and cannot
// share a port between loops.
extension EventLoop {
    /// The maximum number of connections that are accepted before the loop does other work.
    private static let acceptsInARowMax = 64

    /// Closes the listening sockets. If `keepingReserve` is true, the sockets whose connections may
    /// use the reserved descriptors (`ListeningSocket.hasReserve`) stay open. Open connections
    /// stay. Loop thread only.
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

    /// Uses another certificate for new connections. Open connections keep their certificate. The
    /// call has no effect on a loop that was created without a TLS identity. Loop thread only.
    package func use(_ identity: TLSIdentity) {
        checkThread()
        endpoint?.use(identity)
    }

    /// Replaces the trusted proxies, from the next request on. Loop thread only.
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
        // libwebsockets stores this number in place of an address.
        let traits = ListenerTraits(of: listener).rawValue
        unsafe lws_set_opaque_user_data(wsi, UnsafeMutableRawPointer(bitPattern: traits))
        unsafe listening.append(wsi)
    }

    /// Accepts pending connections of a listener and passes them to libwebsockets.
    func acceptConnections(from wsi: OpaquePointer) {
        checkThread()
        let listener = unsafe lws_get_socket_fd(wsi)
        let traits = unsafe traits(of: wsi)
        // If other loops accept from the same queue, this loop accepts only one connection at a
        // time, so that the other loops also get connections.
        for _ in 0..<(traits.contains(.shared) ? 1 : Self.acceptsInARowMax) {
            let descriptor = clws_accept(listener)
            if descriptor >= 0 {
                if hasRoom(for: descriptor, traits), reservedDescriptors.refill() {
                    handleAccepted(descriptor, traits)
                } else {
                    refuseAndRefillReserve(descriptor, traits)
                }
                continue
            }
            let code = errno
            if let shortage = AcceptFailure(errno: code) {
                if refuse(shortage, on: listener, traits) { continue }
                // Nothing can be accepted, but the listener stays readable. Without a pause of the
                // listener, the loop would spin.
                unsafe lws_rx_flow_control(wsi, 0)
                acceptTimer.arm(inMicroseconds: 100_000)
                return
            }
            guard code == EINTR || code == ECONNABORTED || code == EPROTO else { return }
        }
    }

    /// Returns whether a connection leaves enough descriptors free. A new descriptor has the lowest
    /// free number. Its number is therefore a lower bound for the number of open descriptors, which
    /// need not be counted.
    private func hasRoom(for descriptor: Int32, _ traits: ListenerTraits) -> Bool {
        traits.contains(.reserve) || Int(descriptor) < configuration.clientFilesMax
    }

    func resumeAccepting() {
        unsafe listening.forEach { unsafe lws_rx_flow_control($0, 1) }
    }
}
