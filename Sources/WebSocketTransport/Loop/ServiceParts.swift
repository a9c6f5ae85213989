import CLWS

/// The C objects of a loop: its own libuv loop, a libwebsockets context on it, and the virtual
/// hosts. They are created once, never changed, and not freed before the loop's thread has ended.
///
/// This code creates the libuv loop and passes it to libwebsockets as a foreign loop, for two
/// reasons. On a loop that libwebsockets creates, libwebsockets catches SIGINT, SIGTERM and SIGHUP
/// and spins after one of them. Also, such a loop ends only when the context is destroyed.
@safe
struct ServiceParts {
    let uvLoop: UnsafeMutablePointer<uv_loop_t>
    let context: OpaquePointer
    /// The host of accepted connections: HTTP and WebSocket.
    let publicHost: OpaquePointer
    /// The host of listening sockets. It is separate, so that no peer can select the protocol of
    /// the listening sockets.
    let listenerHost: OpaquePointer
    /// The host of dialed connections.
    let clientHost: OpaquePointer
    /// The objects whose addresses libwebsockets keeps.
    private let retained: Retained

    /// The names of the libwebsockets protocols that no peer can select. Such a protocol is a
    /// callback with a name.
    static let listenerProtocol: StaticString = "listener"
    static let clientProtocol: StaticString = "client"

    @safe
    private struct Retained {
        let silence = UnsafeMutablePointer<lws_retry_bo_t>.allocate(capacity: 1)
        let foreignLoops = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1)
    }

    /// Creates the parts. `owner` is the pointer that `EventLoop.of(_:)` retrieves in a callback.
    /// With `endpoint`, the public host uses TLS for the sockets of TLS listeners. With
    /// `authorities`, dialed connections can use TLS.
    init(
        configuration: LoopConfiguration, owner: UnsafeMutableRawPointer,
        endpoint: TLSEndpoint? = nil, authorities: TLSAuthorities? = nil
    ) throws(TransportError) {
        TransportLog.redirectLibraryOutput()
        let retained = Retained()
        // Disables libwebsockets' validity timers. To set one, libwebsockets traverses all others,
        // and an invalid pair of values aborts the process. `Connection.checkLiveness` replaces
        // these timers.
        unsafe retained.silence.initialize(to: lws_retry_bo_t())
        let uvLoop = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
        guard unsafe uv_loop_init(uvLoop) == 0 else {
            unsafe uvLoop.deallocate()
            throw .loopFailed(part: "libuv loop", detail: "uv_loop_init failed.")
        }
        unsafe retained.foreignLoops.initialize(to: UnsafeMutableRawPointer(uvLoop))

        // If no proxy is specified, a client of libwebsockets uses the proxy in the environment.
        // Port 0 means that no proxy is used.
        let noProxy = unsafe strdup("none:0")
        defer { unsafe free(noProxy) }
        var info = unsafe Self.info(configuration, owner, retained)
        unsafe info.http_proxy_address = UnsafePointer(noProxy)
        guard let context = unsafe lws_create_context(&info) else {
            let detail = TransportLog.lastError
            guard detail.contains("evlib") else {
                throw .loopFailed(part: "context", detail: detail)
            }
            throw .eventLibraryMissing(detail: detail)
        }

        // libwebsockets selects a virtual host by the Host header from all virtual hosts with the
        // same port number. The public host must therefore be the only host with its port number.
        let plain = unsafe info
        if let endpoint { unsafe Self.addTLS(endpoint, to: &info) }
        unsafe publicHost = unsafe try Self.host(
            "public", of: context, &info, port: CONTEXT_PORT_NO_LISTEN_SERVER,
            configuration.subprotocols, sessionCallback)
        unsafe info = plain
        unsafe listenerHost = unsafe try Self.host(
            "listener", of: context, &info, port: CONTEXT_PORT_NO_LISTEN,
            ["\(Self.listenerProtocol)"], listenerCallback)
        if let authorities { unsafe Self.addTLS(trusting: authorities, to: &info) }
        unsafe clientHost = unsafe try Self.host(
            "client", of: context, &info, port: CONTEXT_PORT_NO_LISTEN,
            ["\(Self.clientProtocol)"], clientCallback)
        unsafe self.uvLoop = uvLoop
        unsafe self.context = context
        self.retained = retained
    }

    /// Returns the creation parameters of the context, from which each host starts.
    private static func info(
        _ configuration: LoopConfiguration, _ owner: UnsafeMutableRawPointer, _ retained: Retained
    ) -> lws_context_creation_info {
        var info = unsafe lws_context_creation_info()
        unsafe info.port = CONTEXT_PORT_NO_LISTEN_SERVER
        unsafe info.options = UInt64(
            LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_UV_NO_SIGSEGV_SIGFPE_SPIN
                | LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_JUST_USE_RAW_ORIGIN)
        unsafe info.foreign_loops = retained.foreignLoops
        unsafe info.user = owner
        unsafe info.gid = -1
        unsafe info.uid = -1
        unsafe info.timeout_secs = 10
        unsafe info.keepalive_timeout = 30
        // `EventLoop.startHeadDeadline` limits the time for heads. The value here is longer than
        // any time that `startHeadDeadline` allows.
        unsafe info.timeout_secs_ah_idle = 660
        unsafe info.max_http_header_data = UInt16(configuration.headBytesMax)
        unsafe info.retry_and_idle_policy = UnsafePointer(retained.silence)
        return unsafe info
    }

    /// Creates a virtual host of the context with these protocols. The function leaves the values
    /// of this host in `info`.
    private static func host(
        _ name: String, of context: OpaquePointer, _ info: inout lws_context_creation_info,
        port: Int32, _ protocolNames: [String],
        _ callback:
            @escaping @convention(c) (
                OpaquePointer?, lws_callback_reasons, UnsafeMutableRawPointer?,
                UnsafeMutableRawPointer?, Int
            ) -> Int32
    ) throws(TransportError) -> OpaquePointer {
        // The list ends with an additional entry that is all zero.
        let list = UnsafeMutablePointer<lws_protocols>.allocate(
            capacity: protocolNames.count + 1)
        unsafe list.initialize(repeating: lws_protocols(), count: protocolNames.count + 1)
        for (index, protocolName) in protocolNames.enumerated() {
            unsafe list[index].name = UnsafePointer(strdup(protocolName))
            unsafe list[index].callback = callback
            unsafe list[index].rx_buffer_size = 1_024
            // The maximum size of one write; the default is the size of the receive buffer.
            unsafe list[index].tx_packet_size = 1 << 24
        }
        unsafe info.protocols = UnsafePointer(list)
        unsafe info.port = port
        // The names are never freed, because libwebsockets keeps their addresses.
        unsafe info.vhost_name = UnsafePointer(strdup(name))
        let made = unsafe lws_create_vhost(context, &info)
        unsafe list.deallocate()
        guard let made = unsafe made else {
            throw .loopFailed(part: "virtual host", detail: TransportLog.lastError)
        }
        return unsafe made
    }

    /// Adds TLS to a virtual host. The options for TLS are set for the virtual host and not for the
    /// context. If they were set for a context, libwebsockets would request new index numbers from
    /// OpenSSL and store them in global variables. Handshakes of other loops may read these
    /// variables at the same time. OpenSSL initializes itself, so the context does not need the
    /// options.
    private static func addTLS(
        _ endpoint: TLSEndpoint, to info: inout lws_context_creation_info
    ) {
        unsafe info.options |= clws_tls_vhost_options() | clws_tls_server_options()
        // The endpoint exists as long as the context, which is not destroyed.
        unsafe info.user = Unmanaged.passRetained(endpoint).toOpaque()
        unsafe info.alpn = UnsafePointer(strdup(TLSEndpoint.protocolName))
        unsafe info.ssl_cipher_list = UnsafePointer(strdup(TLSEndpoint.ciphers))
        // If no SSL context is provided, libwebsockets creates one with all authorities of the
        // system.
        unsafe info.provided_client_ssl_ctx = SSL_CTX_new(TLS_client_method())
    }

    private static func addTLS(
        trusting authorities: TLSAuthorities, to info: inout lws_context_creation_info
    ) {
        unsafe info.options |= clws_tls_vhost_options()
        unsafe info.provided_client_ssl_ctx = authorities.context
    }
}
