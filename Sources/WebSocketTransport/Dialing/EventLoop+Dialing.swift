import CLWS

extension EventLoop {
    /// Makes libwebsockets connect and start the handshake. Returns nil if dialing could not start;
    /// libwebsockets may have reported the failure already. `number`, above 0, is passed to
    /// `clientCallback` for the connection.
    func beginDialing(
        _ target: DialTarget, subprotocol: String?, origin: String?, number: Int
    ) -> OpaquePointer? {
        let texts: [String?] = [
            target.host, target.path, target.authority, origin, subprotocol,
            "\(ServiceParts.clientProtocol)", TLSEndpoint.protocolName,
        ]
        // libwebsockets copies the texts during the call.
        let copies = unsafe texts.map { text in unsafe text.map { unsafe strdup($0) } ?? nil }
        defer { unsafe copies.forEach { unsafe free($0) } }
        var info = unsafe lws_client_connect_info()
        unsafe info.context = parts.context
        unsafe info.vhost = parts.clientHost
        unsafe info.address = UnsafePointer(copies[0])
        unsafe info.port = Int32(target.port)
        unsafe info.path = UnsafePointer(copies[1])
        unsafe info.host = UnsafePointer(copies[2])
        unsafe info.origin = UnsafePointer(copies[3])
        unsafe info.protocol = UnsafePointer(copies[4])
        unsafe info.local_protocol_name = UnsafePointer(copies[5])
        if target.isEncrypted {
            unsafe info.ssl_connection = Int32(LCCSCF_USE_SSL.rawValue)
            unsafe info.alpn = UnsafePointer(copies[6])
        }
        unsafe info.ietf_version_or_minus_one = -1
        // The pointer contains a number and not an address, because libwebsockets can call back
        // after the socket's object was released.
        unsafe info.userdata = UnsafeMutableRawPointer(bitPattern: number)
        return unsafe lws_client_connect_via_info(&info)
    }
}
