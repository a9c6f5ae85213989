import CLWS
import Glibc

// Handles connections from their acceptance until the head of a request has arrived. The handler
// decides which connections are admitted. A time limit applies until the head has arrived.
extension EventLoop {
    /// Sets the time limit for the head of a request and for its body, in milliseconds. The time
    /// for a head is measured from the accepted connection or from the previous answer. The time
    /// for a body is measured from its head. A connection whose head or body is already awaited
    /// keeps its deadline. Loop thread only.
    package func setHeadTimeout(ms milliseconds: Int) {
        checkThread()
        headTimeoutMs = milliseconds
    }

    /// Requests the handler's decision on an accepted connection. If the handler accepts the
    /// connection, passes it to libwebsockets.
    func handleAccepted(_ descriptor: Int32, _ traits: ListenerTraits) {
        let decision =
            handler?.connectionAccepted(incomingConnection(descriptor)) ?? .closeImmediately
        let place: ConnectionContext
        let closesAfterFirstAnswer: Bool
        switch decision {
        case .accept(let object):
            place = ConnectionContext(object)
            closesAfterFirstAnswer = false
        case .acceptToRefuse(let object):
            place = ConnectionContext(object)
            closesAfterFirstAnswer = true
        case .closeImmediately:
            close(descriptor)
            return
        }
        _ = ListeningSocket.setFlag(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
        Self.limitUnsentBytes(descriptor)
        guard let wsi = unsafe passToLibrary(descriptor, traits) else {
            handler?.connectionEnded(place)
            return
        }
        let record = unsafe ConnectionRecord(
            place: place, closesAfterFirstAnswer: closesAfterFirstAnswer, descriptor: descriptor,
            wsi: wsi)
        unsafe lws_set_opaque_user_data(wsi, Unmanaged.passRetained(record).toOpaque())
        // Head deadlines are set by this loop and not by libwebsockets.
        unsafe lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0)
        startHeadDeadline(of: record)
        watchHeads(of: record)
    }

    /// Limits the unsent data in the kernel. Without a limit, the kernel would buffer megabytes for
    /// a peer that does not read. Waiting data should stay in the session, where it is merged and
    /// counted. The limit does not apply to data in flight to a peer that reads.
    private static func limitUnsentBytes(_ descriptor: Int32) {
        var bytes = unsentBytesMax
        _ = unsafe setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &bytes,
            socklen_t(MemoryLayout<Int32>.size))
    }

    /// The maximum number of unsent bytes that the kernel buffers for one connection.
    private static let unsentBytesMax: Int32 = 131_072

    /// Passes an accepted socket to libwebsockets. If libwebsockets cannot adopt the socket, it
    /// closes the socket.
    private func passToLibrary(_ descriptor: Int32, _ traits: ListenerTraits) -> OpaquePointer? {
        // On a virtual host without TLS, `LWS_ADOPT_ALLOW_SSL` has no effect.
        let flags =
            LWS_ADOPT_SOCKET.rawValue | LWS_ADOPT_HTTP.rawValue
            | (traits.contains(.tls) ? LWS_ADOPT_ALLOW_SSL.rawValue : 0)
        var socket = lws_sock_file_fd_type()
        unsafe socket.sockfd = descriptor
        return unsafe lws_adopt_descriptor_vhost(
            parts.publicHost, lws_adoption_type(flags), socket, nil, nil)
    }

    private func incomingConnection(_ descriptor: Int32) -> IncomingConnection {
        let local = SocketAddress(localOf: descriptor)
        return IncomingConnection(
            peerAddress: SocketAddress(peerOf: descriptor)?.host ?? "",
            localAddress: local?.host ?? "", localPort: local?.port ?? 0)
    }

    /// Returns the record of a connection; nil after its end.
    func connectionRecord(_ wsi: OpaquePointer) -> ConnectionRecord? {
        guard let kept = unsafe lws_get_opaque_user_data(wsi) else { return nil }
        return unsafe Unmanaged<ConnectionRecord>.fromOpaque(kept).takeUnretainedValue()
    }

    /// Starts the deadline for the connection's next head, or for the body after a head.
    func startHeadDeadline(of record: ConnectionRecord) {
        let due = clock() + Int64(headTimeoutMs) * 1_000
        let isFirst = headDeadlines.isEmpty
        headDeadlines.append(record, due: due)
        if isFirst { headTimer.arm(at: due) }
    }

    /// Records that the head has arrived.
    func markHeadReceived(_ wsi: OpaquePointer) -> ConnectionRecord? {
        guard let record = unsafe connectionRecord(wsi) else { return nil }
        record.reader?.headsRead &+= 1
        endHeadDeadline(of: record)
        return record
    }

    /// Ends the deadline of a head or body that has arrived.
    func endHeadDeadline(of record: ConnectionRecord) {
        record.headDueAt = nil
        if headDeadlines.nextDue() == nil { headTimer.disarm() }
    }

    /// Cuts the connections whose heads or bodies have not arrived in time.
    func headTimerFired() {
        checkThread()
        let now = clock()
        var hasTimedOut = false
        while let record = headDeadlines.popDue(at: now) {
            guard let wsi = unsafe record.wsi else { continue }
            handler?.headTimedOut()
            unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_ASYNC)
            hasTimedOut = true
        }
        if hasTimedOut { processTimeouts() }
        if let next = headDeadlines.nextDue() { headTimer.arm(at: next) }
    }

    /// Handles the release of an accepted connection by libwebsockets.
    func connectionReleased(_ wsi: OpaquePointer) {
        guard let kept = unsafe lws_get_opaque_user_data(wsi) else { return }
        unsafe lws_set_opaque_user_data(wsi, nil)
        let record = unsafe Unmanaged<ConnectionRecord>.fromOpaque(kept).takeRetainedValue()
        if let awaited = record.held as? AwaitedAnswer { removeTicket(of: awaited) }
        stopWatching(record)
        record.ended()
        handler?.connectionEnded(record.place)
    }
}
