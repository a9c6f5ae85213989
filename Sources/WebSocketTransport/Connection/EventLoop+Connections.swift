import CLWS
import Glibc

// Forwards libwebsockets' events of accepted connections to the handler.
extension EventLoop {
    /// Returns the open connection with this key, or nil if it has ended. Loop thread only.
    package func connection(_ key: UInt64) -> Connection? {
        checkThread()
        return connections.connection(key)
    }

    /// The number of open connections. Loop thread only.
    package var connectionCount: Int {
        checkThread()
        return connections.count
    }

    @inline(__always)
    func forward(_ message: Span<UInt8>, _ isBinary: Bool, _ connection: Connection) {
        handler?.received(message, isBinary: isBinary, on: connection)
    }

    /// Handles an upgrade request. If the upgrade is not accepted, sends the refusal and closes the
    /// connection.
    func handleUpgrade(_ wsi: OpaquePointer) -> Int32 {
        checkThread()
        _ = unsafe markHeadReceived(wsi)
        let head = unsafe RequestHead(of: wsi)
        // `head.upgrade` is nil if libwebsockets has refused the upgrade and discarded the request.
        guard head.upgrade != nil else { return -1 }
        switch unsafe decision(on: head, wsi) {
        case .refuse(let response):
            unsafe writeNextPart(of: HTTPExchange(response, to: head, ending: .close), on: wsi)
            return -1
        case .accept(let messageBytesMax, let tag, _, let loosePerSecondMax, let owner):
            unsafe store(
                Admission(
                    messageBytesMax: messageBytesMax, tag: tag,
                    loosePerSecondMax: loosePerSecondMax, owner: owner),
                on: wsi)
            return 0
        }
    }

    private func decision(on head: RequestHead, _ wsi: OpaquePointer) -> UpgradeDecision {
        if let refusal = UpgradeGate.refusal(of: head) {
            handler?.upgradeRefused(status: refusal.status)
            return .refuse(refusal)
        }
        guard let subprotocols = UpgradeGate.subprotocols(of: head), let handler, !isEnding else {
            handler?.upgradeRefused(status: UpgradeGate.subprotocolRefusal.status)
            return .refuse(UpgradeGate.subprotocolRefusal)
        }
        let socket = unsafe lws_get_socket_fd(wsi)
        let local = SocketAddress(localOf: socket)
        let peer = SocketAddress(peerOf: socket)?.host ?? ""
        let client = proxies.client(of: head, peer: peer)
        let decision = handler.admit(
            UpgradeRequest(
                path: head.path, arguments: head.arguments, host: head.host, origin: head.origin,
                subprotocols: subprotocols, authorization: head.authorization, peerAddress: peer,
                clientAddress: client.address, isEncrypted: client.isEncrypted,
                isForwarded: head.isForwarded, localAddress: local?.host ?? "",
                localPort: local?.port ?? 0,
                headers: unsafe RequestHead.headers(handler.capturedHeaderNames, of: wsi),
                place: unsafe connectionRecord(wsi)?.place ?? ConnectionContext()))
        guard case .accept(_, _, let subprotocol, _, _) = decision else { return decision }
        // If the request lists only unknown subprotocols, libwebsockets closes the connection
        // without an answer. If the list contains known subprotocols, libwebsockets chooses the
        // first of these. The handler must have chosen the same subprotocol.
        let served = configuration.subprotocols
        let chosen = subprotocols.first(where: served.contains)
        guard served.indices.contains(subprotocol),
            subprotocols.isEmpty || chosen == served[subprotocol]
        else {
            handler.upgradeRefused(status: UpgradeGate.subprotocolRefusal.status)
            return .refuse(UpgradeGate.subprotocolRefusal)
        }
        return decision
    }

    /// The handshake is complete: creates the open connection.
    func opened(_ wsi: OpaquePointer) -> Int32 {
        checkThread()
        guard let admission = unsafe removeStoredObject(on: wsi) as? Admission, !isEnding else {
            return -1
        }
        let connection = connections.insert { key in
            unsafe Connection(wsi: wsi, key: key, admission: admission, loop: self)
        }
        unsafe lws_set_wsi_user(wsi, Unmanaged.passUnretained(connection).toOpaque())
        unsafe connectionRecord(wsi)?.phase = .free
        startLivenessTicks()
        connection.setOwner(admission.owner)
        handler?.opened(connection)
        return 0
    }

    /// Handles the end of a connection. libwebsockets reports the end once or twice.
    func closed(_ wsi: OpaquePointer, _ connection: Connection?) {
        checkThread()
        guard let connection else { return }
        unsafe lws_set_wsi_user(wsi, nil)
        connection.ended()
        if !condemned.isEmpty { condemned.removeAll { $0 === connection } }
        guard connections.remove(connection) else { return }
        handler?.closed(connection)
        connection.setOwner(nil)
        stopServiceLoopIfEnded()
    }

    /// Handles the release of a connection by libwebsockets. The connection may never have been
    /// upgraded.
    func destroyed(_ wsi: OpaquePointer, _ connection: Connection?) {
        unsafe closed(wsi, connection)
        unsafe connectionReleased(wsi)
    }
}
