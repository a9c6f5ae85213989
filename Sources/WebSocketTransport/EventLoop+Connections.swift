import CLWS
import Glibc

// What the library reports of peers' connections, forwarded to the handler.
extension EventLoop {
    /// The open connection of that key; nil when it has ended. Loop thread only.
    package func connection(_ key: UInt64) -> Connection? {
        checkThread()
        return connections.connection(key)
    }

    /// How many connections are open. Loop thread only.
    package var connectionCount: Int {
        checkThread()
        return connections.count
    }

    @inline(__always)
    func forward(_ message: Span<UInt8>, _ isBinary: Bool, _ connection: Connection) {
        handler?.received(message, isBinary: isBinary, on: connection)
    }

    /// An upgrade was asked for: answers it itself, and hangs up, unless it is let in.
    func judgeUpgrade(_ wsi: OpaquePointer) -> Int32 {
        checkThread()
        _ = unsafe headCame(wsi)
        let head = unsafe RequestHead(of: wsi)
        // Empty after the library refused an upgrade by itself and threw the request away (L6).
        guard head.upgrade != nil else { return -1 }
        switch unsafe decision(on: head, wsi) {
        case .refuse(let response):
            unsafe start(HTTPExchange(response, to: head, ending: .close), on: wsi)
            return -1
        case .accept(let messageBytesMax, let tag, _, let loosePerSecondMax, let owner):
            unsafe hold(
                Admission(
                    messageBytesMax: messageBytesMax, tag: tag,
                    loosePerSecondMax: loosePerSecondMax, owner: owner),
                on: wsi)
            return 0
        }
    }

    private func decision(on head: RequestHead, _ wsi: OpaquePointer) -> UpgradeDecision {
        if let refusal = UpgradeGate.refusal(of: head) {
            handler?.refusedUpgrade(status: refusal.status)
            return .refuse(refusal)
        }
        guard let subprotocols = UpgradeGate.subprotocols(of: head), let handler, !isEnding else {
            handler?.refusedUpgrade(status: UpgradeGate.subprotocolRefusal.status)
            return .refuse(UpgradeGate.subprotocolRefusal)
        }
        let socket = unsafe lws_get_socket_fd(wsi)
        let local = SocketAddress(localOf: socket)
        let peer = SocketAddress(peerOf: socket)?.host ?? ""
        let client = proxies.client(of: head, peer: peer)
        let decision = handler.admit(
            UpgradeRequest(
                path: head.path, query: head.query, host: head.host, origin: head.origin,
                subprotocols: subprotocols, authorization: head.authorization, peerAddress: peer,
                clientAddress: client.address, isEncrypted: client.isEncrypted,
                isForwarded: head.isForwarded, localAddress: local?.host ?? "",
                localPort: local?.port ?? 0,
                headers: unsafe RequestHead.headers(handler.headersWanted, of: wsi),
                place: unsafe visit(wsi)?.place ?? HeldPlace()))
        guard case .accept(_, _, let subprotocol, _, _) = decision else { return decision }
        // The library hangs up on a list it knows nothing of, without an answer (L16). Else it
        // takes the first that it knows: that must be the one which is spoken there.
        let served = configuration.subprotocols
        let chosen = subprotocols.first(where: served.contains)
        guard served.indices.contains(subprotocol),
            subprotocols.isEmpty || chosen == served[subprotocol]
        else {
            handler.refusedUpgrade(status: UpgradeGate.subprotocolRefusal.status)
            return .refuse(UpgradeGate.subprotocolRefusal)
        }
        return decision
    }

    /// The handshake is done: a connection stands.
    func opened(_ wsi: OpaquePointer) -> Int32 {
        checkThread()
        guard let admission = unsafe release(wsi) as? Admission, !isEnding else { return -1 }
        let connection = connections.insert { key in
            unsafe Connection(wsi: wsi, key: key, admission: admission, loop: self)
        }
        unsafe lws_set_wsi_user(wsi, Unmanaged.passUnretained(connection).toOpaque())
        unsafe visit(wsi)?.phase = .free
        tickLiveness()
        connection.keep(admission.owner)
        handler?.opened(connection)
        return 0
    }

    /// A connection has ended; the library says so once or twice.
    func closed(_ wsi: OpaquePointer, _ connection: Connection?) {
        checkThread()
        guard let connection else { return }
        unsafe lws_set_wsi_user(wsi, nil)
        connection.ended()
        if !condemned.isEmpty { condemned.removeAll { $0 === connection } }
        guard connections.remove(connection) else { return }
        handler?.closed(connection)
        connection.keep(nil)
        leaveIfEnded()
    }

    /// The library forgets a connection of any kind.
    func destroyed(_ wsi: OpaquePointer, _ connection: Connection?) {
        unsafe closed(wsi, connection)
        unsafe visitEnded(wsi)
    }

    /// A plain HTTP request came.
    func answer(_ wsi: OpaquePointer) -> Int32 {
        checkThread()
        let visit = unsafe headCame(wsi)
        let head = unsafe RequestHead(of: wsi)
        // One that the library has not read to its end names none.
        guard ["HTTP/1.1", "HTTP/1.0"].contains(head.version) else {
            let refusal = UpgradeGate.malformedHeadRefusal
            unsafe start(HTTPExchange(refusal, to: head, ending: .close), on: wsi)
            return -1
        }
        guard let method = head.method, let handler else {
            unsafe start(HTTPExchange(UpgradeGate.methodRefusal, to: head, ending: .close), on: wsi)
            return -1
        }
        if method == "POST" || method == "DELETE", head.hasBody {
            unsafe start(HTTPExchange(UpgradeGate.bodyRefusal, to: head, ending: .close), on: wsi)
            return -1
        }
        let socket = unsafe lws_get_socket_fd(wsi)
        let local = SocketAddress(localOf: socket)
        let peer = SocketAddress(peerOf: socket)?.host ?? ""
        let client = proxies.client(of: head, peer: peer)
        let ending = visit?.isHeardOutOnly == true ? .close : head.ending
        let ticket = nextTicket()
        let response = handler.respond(
            to: HTTPRequest(
                method: method, path: head.path, query: head.query, host: head.host,
                origin: head.origin, authorization: head.authorization, peerAddress: peer,
                clientAddress: client.address, isEncrypted: client.isEncrypted,
                isForwarded: head.isForwarded, localAddress: local?.host ?? "",
                localPort: local?.port ?? 0,
                place: visit?.place ?? HeldPlace()), ticket: ticket)
        guard let response else {
            return unsafe self.await(AwaitedAnswer(ticket, to: head, ending: ending), on: wsi)
        }
        let exchange = HTTPExchange(response, to: head, ending: ending)
        unsafe start(exchange, on: wsi)
        guard unsafe hasGone(exchange, on: wsi) else {
            unsafe hold(exchange, on: wsi)
            visit?.phase = .answer
            unsafe holdBackInput(of: wsi, true)
            unsafe lws_callback_on_writable(wsi)
            return 0
        }
        return unsafe finish(exchange, on: wsi)
    }

    /// The next part of an answer can go out.
    func continueAnswer(_ wsi: OpaquePointer) -> Int32 {
        checkThread()
        guard let exchange = unsafe held(wsi) as? HTTPExchange else { return 0 }
        if !exchange.isDone { unsafe start(exchange, on: wsi) }
        guard unsafe hasGone(exchange, on: wsi) else {
            unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, 20)
            unsafe lws_callback_on_writable(wsi)
            return 0
        }
        _ = unsafe release(wsi)
        unsafe holdBackInput(of: wsi, false)
        return unsafe finish(exchange, on: wsi)
    }
}
