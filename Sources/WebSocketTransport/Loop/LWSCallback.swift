import CLWS

// The C callbacks of libwebsockets. Each callback checks its arguments, finds the object that they
// belong to, and forwards the event. The callbacks make no decisions.

/// The callback for accepted connections, which begin with HTTP and can be upgraded to WebSocket.
func sessionCallback(
    wsi: OpaquePointer?, reason: lws_callback_reasons, user: UnsafeMutableRawPointer?,
    input: UnsafeMutableRawPointer?, length: Int
) -> Int32 {
    if reason == LWS_CALLBACK_RECEIVE {
        guard let user = unsafe user else { return -1 }
        return unsafe Unmanaged<Connection>.fromOpaque(user)._withUnsafeGuaranteedRef {
            unsafe $0.receive(input, count: length)
        }
    }
    guard let wsi = unsafe wsi else { return 0 }
    switch reason {
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS:
        return unsafe prepareTLS(context: user, host: input)
    // Here `user` belongs to OpenSSL. OpenSSL's check of the peer's certificate is sufficient.
    case LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION: return 0
    default: break
    }
    let connection = unsafe user.map {
        unsafe Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue()
    }
    switch reason {
    case LWS_CALLBACK_SERVER_WRITEABLE: return connection?.becameWritable() ?? -1
    case LWS_CALLBACK_RECEIVE_PONG: connection?.receivedPong()
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        return unsafe connection?.receivedClose(input, count: length) ?? 0
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return unsafe EventLoop.of(wsi).handleUpgrade(wsi)
    case LWS_CALLBACK_ESTABLISHED: return unsafe EventLoop.of(wsi).opened(wsi)
    case LWS_CALLBACK_CLOSED: unsafe EventLoop.of(wsi).closed(wsi, connection)
    case LWS_CALLBACK_WSI_DESTROY: unsafe EventLoop.of(wsi).destroyed(wsi, connection)
    case LWS_CALLBACK_HTTP: return unsafe EventLoop.of(wsi).handleRequest(wsi)
    case LWS_CALLBACK_HTTP_BODY:
        return unsafe EventLoop.of(wsi).receivedBody(
            wsi, UnsafeRawBufferPointer(start: input, count: input == nil ? 0 : length))
    case LWS_CALLBACK_HTTP_BODY_COMPLETION: return unsafe EventLoop.of(wsi).bodyCompleted(wsi)
    case LWS_CALLBACK_HTTP_WRITEABLE: return unsafe EventLoop.of(wsi).continueAnswer(wsi)
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED: unsafe EventLoop.of(wsi).drainMailbox()
    // CONNECT, and other requests that make libwebsockets treat a connection as raw, are not
    // served.
    case LWS_CALLBACK_RAW_ADOPT, LWS_CALLBACK_RAW_CONNECTED, LWS_CALLBACK_RAW_RX: return -1
    default: break
    }
    return 0
}

/// Handles the creation of a TLS context for a virtual host.
private func prepareTLS(
    context: UnsafeMutableRawPointer?, host: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context = unsafe context, let host = unsafe host,
        let endpoint = unsafe lws_vhost_user(OpaquePointer(host))
    else { return -1 }
    return unsafe Unmanaged<TLSEndpoint>.fromOpaque(endpoint)._withUnsafeGuaranteedRef {
        unsafe $0.prepare(OpaquePointer(context))
    }
}

/// The callback for listening sockets, which libwebsockets treats as readable files.
func listenerCallback(
    wsi: OpaquePointer?, reason: lws_callback_reasons, user: UnsafeMutableRawPointer?,
    input: UnsafeMutableRawPointer?, length: Int
) -> Int32 {
    guard let wsi = unsafe wsi else { return 0 }
    switch reason {
    case LWS_CALLBACK_RAW_RX_FILE: unsafe EventLoop.of(wsi).acceptConnections(from: wsi)
    default: break
    }
    return 0
}

/// The callback for dialed connections.
func clientCallback(
    wsi: OpaquePointer?, reason: lws_callback_reasons, user: UnsafeMutableRawPointer?,
    input: UnsafeMutableRawPointer?, length: Int
) -> Int32 {
    guard let wsi = unsafe wsi, let number = unsafe user.map({ Int(bitPattern: $0) }) else {
        return 0
    }
    let bytes = unsafe UnsafeRawBufferPointer(start: input, count: input == nil ? 0 : length)
    let handler = unsafe EventLoop.of(wsi).handler
    if let core = handler as? ClientCore {
        return unsafe core.handleCallback(reason, of: number, wsi, bytes)
    }
    let dialer = handler as? DialerCore ?? (handler as? ProxyCore)?.dialer
    guard let socket = dialer?.socket(number) else { return 0 }
    switch reason {
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
        // `input` points to a pointer to the free bytes, and `length` is their number.
        guard
            let place = unsafe input?.assumingMemoryBound(
                to: UnsafeMutablePointer<UInt8>?.self),
            let begin = unsafe place.pointee
        else { return 0 }
        return unsafe socket.addHeaders(wsi, at: place, end: begin + length) ? 0 : -1
    case LWS_CALLBACK_CLIENT_ESTABLISHED: unsafe socket.opened(wsi)
    case LWS_CALLBACK_CLIENT_RECEIVE: unsafe socket.received(bytes)
    case LWS_CALLBACK_CLIENT_WRITEABLE: return socket.becameWritable()
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: return unsafe socket.receivedClose(bytes)
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR: unsafe socket.failed(wsi, bytes)
    case LWS_CALLBACK_CLIENT_CLOSED, LWS_CALLBACK_CLOSED_CLIENT_HTTP: socket.closed()
    case LWS_CALLBACK_WSI_DESTROY: unsafe socket.destroyed(wsi)
    default: break
    }
    return 0
}

/// The callback for a precise timer. A readable descriptor means that the timer is due.
func pollCallback(poll: UnsafeMutablePointer<uv_poll_t>?, status: Int32, events: Int32) {
    guard let owner = unsafe poll?.pointee.data else { return }
    unsafe Unmanaged<PreciseTimer>.fromOpaque(owner).takeUnretainedValue().fired()
}

/// The callback for events on sockets whose heads are awaited.
func headCallback(poll: UnsafeMutablePointer<uv_poll_t>?, status: Int32, events: Int32) {
    guard let owner = unsafe poll?.pointee.data else { return }
    unsafe Unmanaged<HeadWatch>.fromOpaque(owner).takeUnretainedValue().fired()
}

/// The callback for the loop's timers.
func timerCallback(timer: UnsafeMutablePointer<uv_timer_t>?) {
    guard let owner = unsafe timer?.pointee.data else { return }
    unsafe Unmanaged<LoopTimer>.fromOpaque(owner).takeUnretainedValue().fired()
}
