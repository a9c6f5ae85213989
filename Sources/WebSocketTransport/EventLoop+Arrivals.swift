import CLWS
import Glibc

// Connections between accept and the head of a request: who may come in, and for how long one may
// say nothing.
extension EventLoop {
    /// From now on the head of a request may take so many milliseconds from the connection, or from
    /// the answer before; those who are waited for already keep what they have. Loop thread only.
    package func awaitHeads(forMs milliseconds: Int) {
        checkThread()
        headTimeoutMs = milliseconds
    }

    /// Asks the handler about an accepted connection, and hands it to the library.
    func take(_ descriptor: Int32, _ traits: ListenerTraits) {
        let decision = handler?.arrived(arrival(descriptor)) ?? .turnAway
        let place: HeldPlace
        let isHeardOutOnly: Bool
        switch decision {
        case .welcome(let object):
            place = HeldPlace(object)
            isHeardOutOnly = false
        case .hearOut(let object):
            place = HeldPlace(object)
            isHeardOutOnly = true
        case .turnAway:
            close(descriptor)
            return
        }
        _ = ListeningSocket.setFlag(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
        Self.boundUnsent(descriptor)
        guard let wsi = unsafe adopt(descriptor, traits) else {
            handler?.left(place)
            return
        }
        let visit = unsafe Visit(
            place: place, isHeardOutOnly: isHeardOutOnly, descriptor: descriptor, wsi: wsi)
        unsafe lws_set_opaque_user_data(wsi, Unmanaged.passRetained(visit).toOpaque())
        // Heads have our time, not the library's.
        unsafe lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0)
        awaitHead(of: visit)
        watchHeads(of: visit)
    }

    /// The kernel would take megabytes for a peer that reads nothing. What has to wait should do so
    /// in the session, where it is merged and counted; what is on its way to a peer that reads is
    /// not bounded by this.
    private static func boundUnsent(_ descriptor: Int32) {
        var bytes = unsentBytesMax
        _ = unsafe setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &bytes,
            socklen_t(MemoryLayout<Int32>.size))
    }

    /// Bytes that the kernel may hold of one connection beyond what the peer has room for.
    private static let unsentBytesMax: Int32 = 131_072

    /// Hands an accepted socket to the library, which closes it when it cannot take it.
    private func adopt(_ descriptor: Int32, _ traits: ListenerTraits) -> OpaquePointer? {
        // On a host without TLS that flag means nothing.
        let flags =
            LWS_ADOPT_SOCKET.rawValue | LWS_ADOPT_HTTP.rawValue
            | (traits.contains(.tls) ? LWS_ADOPT_ALLOW_SSL.rawValue : 0)
        var socket = lws_sock_file_fd_type()
        unsafe socket.sockfd = descriptor
        return unsafe lws_adopt_descriptor_vhost(
            parts.publicHost, lws_adoption_type(flags), socket, nil, nil)
    }

    private func arrival(_ descriptor: Int32) -> IncomingConnection {
        let local = SocketAddress(localOf: descriptor)
        return IncomingConnection(
            peerAddress: SocketAddress(peerOf: descriptor)?.host ?? "",
            localAddress: local?.host ?? "", localPort: local?.port ?? 0)
    }

    /// What is kept of a connection; nil after its end.
    func visit(_ wsi: OpaquePointer) -> Visit? {
        guard let kept = unsafe lws_get_opaque_user_data(wsi) else { return nil }
        return unsafe Unmanaged<Visit>.fromOpaque(kept).takeUnretainedValue()
    }

    /// The head has to come from now on.
    func awaitHead(of visit: Visit) {
        let due = clock() + Int64(headTimeoutMs) * 1_000
        let isFirst = headDeadlines.isEmpty
        headDeadlines.await(visit, due: due)
        if isFirst { headTimer.arm(at: due) }
    }

    /// The head is there.
    func headCame(_ wsi: OpaquePointer) -> Visit? {
        let visit = unsafe visit(wsi)
        visit?.headDueAt = nil
        visit?.reader?.headsRead &+= 1
        if headDeadlines.nextDue() == nil { headTimer.disarm() }
        return visit
    }

    /// Cuts off those whose heads did not come in time.
    func headTimerFired() {
        checkThread()
        let now = clock()
        var hasCut = false
        while let visit = headDeadlines.popDue(at: now) {
            guard let wsi = unsafe visit.wsi else { continue }
            handler?.headTimedOut()
            unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_ASYNC)
            hasCut = true
        }
        if hasCut { lookAtTimeouts() }
        if let next = headDeadlines.nextDue() { headTimer.arm(at: next) }
    }

    /// The library forgets an accepted connection.
    func visitEnded(_ wsi: OpaquePointer) {
        guard let kept = unsafe lws_get_opaque_user_data(wsi) else { return }
        unsafe lws_set_opaque_user_data(wsi, nil)
        let visit = unsafe Unmanaged<Visit>.fromOpaque(kept).takeRetainedValue()
        if let awaited = visit.held as? AwaitedAnswer { forget(awaited) }
        stopWatching(visit)
        visit.ended()
        handler?.left(visit.place)
    }
}
