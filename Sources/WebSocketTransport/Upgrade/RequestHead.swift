import CLWS

/// The head of a request. It is a copy, because libwebsockets discards the head after the first
/// answer.
struct RequestHead: Equatable {
    /// `GET`, `HEAD`, `POST` or `DELETE`, or nil for any other method.
    var method: String?
    var path = "/"
    /// The arguments of the query, each percent-decoded.
    var arguments: [String] = []
    /// The query without its question mark, percent-decoded; empty when there is none. If an
    /// argument contains `&`, the arguments can no longer be told apart.
    var query: String { arguments.joined(separator: "&") }
    /// The version, such as `HTTP/1.1`; empty if the request has none.
    var version = ""
    var host: String?
    var origin: String?
    var authorization: String?
    var connection: String?
    var upgrade: String?
    var webSocketVersion: String?
    var webSocketKey: String?
    var subprotocols: String?
    /// The client address in a proxy's forwarding header.
    var forwardedFor: String?
    /// Whether an `X-Forwarded-For` or `Forwarded` header is present.
    var isForwarded = false
    /// The scheme in a proxy's forwarding header.
    var forwardedScheme: String?
    /// Whether the connection uses TLS.
    var isEncrypted = false
    /// Whether the peer announced a body.
    var hasBody = false
    /// The announced length of the body; nil if it is invalid, or if the body has a transfer
    /// encoding.
    var bodyBytes: Int?
    /// Whether the peer waits for an interim answer before it sends the body.
    var expectsContinue = false
}

extension RequestHead {
    /// Copies the fields that the transport and its handler use.
    init(of wsi: OpaquePointer) {
        if let path = unsafe Self.header(WSI_TOKEN_GET_URI, of: wsi) {
            method = "GET"
            self.path = path
        } else if let path = unsafe Self.header(WSI_TOKEN_HEAD_URI, of: wsi) {
            method = "HEAD"
            self.path = path
        } else if let path = unsafe Self.header(WSI_TOKEN_POST_URI, of: wsi) {
            method = "POST"
            self.path = path
        } else if let path = unsafe Self.header(WSI_TOKEN_DELETE_URI, of: wsi) {
            method = "DELETE"
            self.path = path
        }
        arguments = unsafe Self.arguments(of: wsi)
        version = unsafe Self.header(WSI_TOKEN_HTTP, of: wsi) ?? ""
        host = unsafe Self.header(WSI_TOKEN_HOST, of: wsi)
        origin = unsafe Self.header(WSI_TOKEN_ORIGIN, of: wsi)
        authorization = unsafe Self.header(WSI_TOKEN_HTTP_AUTHORIZATION, of: wsi)
        connection = unsafe Self.header(WSI_TOKEN_CONNECTION, of: wsi)
        upgrade = unsafe Self.header(WSI_TOKEN_UPGRADE, of: wsi)
        webSocketVersion = unsafe Self.header(WSI_TOKEN_VERSION, of: wsi)
        webSocketKey = unsafe Self.header(WSI_TOKEN_KEY, of: wsi)
        subprotocols = unsafe Self.header(WSI_TOKEN_PROTOCOL, of: wsi)
        forwardedFor = unsafe Self.header(WSI_TOKEN_X_FORWARDED_FOR, of: wsi)
        isForwarded = unsafe forwardedFor != nil || Self.has("forwarded:", wsi)
        forwardedScheme = unsafe Self.header(named: "x-forwarded-proto:", of: wsi)
        isEncrypted = unsafe lws_get_ssl(wsi) != nil
        let length = unsafe Self.header(WSI_TOKEN_HTTP_CONTENT_LENGTH, of: wsi) ?? "0"
        let isEncoded = unsafe Self.header(WSI_TOKEN_HTTP_TRANSFER_ENCODING, of: wsi) != nil
        hasBody = length != "0" || isEncoded
        bodyBytes = isEncoded ? nil : HeaderText.length(length)
        if hasBody, version == "HTTP/1.1" {
            let expected = unsafe Self.header(WSI_TOKEN_HTTP_EXPECT, of: wsi) ?? ""
            expectsContinue = HeaderText.list(expected, contains: "100-continue")
        }
    }

    /// The state of the connection after an answer to this request.
    var ending: HTTPHead.Ending {
        // libwebsockets waits for the body of a `POST` even if no body was announced, so the
        // connection is closed. The connection is also closed after a `DELETE`. This costs little,
        // because a `DELETE` is infrequent.
        if hasBody || method == "POST" || method == "DELETE" { return .close }
        let options = connection ?? ""
        if version == "HTTP/1.1" {
            return HeaderText.list(options, contains: "close") ? .close : .keep
        }
        return options.lowercased() == "keep-alive" ? .keepExplicitly : .close
    }

    /// Returns the arguments of the query. libwebsockets decodes each argument, and stores it as a
    /// separate fragment.
    private static func arguments(of wsi: OpaquePointer) -> [String] {
        let capacity = Int(unsafe lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_URI_ARGS)) + 1
        guard capacity > 1 else { return [] }
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
            guard let start = buffer.baseAddress else { return [] }
            var pieces: [String] = []
            while true {
                let copied = unsafe lws_hdr_copy_fragment(
                    wsi, start, Int32(capacity), WSI_TOKEN_HTTP_URI_ARGS, Int32(pieces.count))
                guard copied >= 0 else { return pieces }
                let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(copied))
                unsafe pieces.append(String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    /// Returns a header's value, with repetitions joined; nil if it is absent or empty.
    static func header(_ token: lws_token_indexes, of wsi: OpaquePointer) -> String? {
        let length = Int(unsafe lws_hdr_total_length(wsi, token))
        guard length > 0 else { return nil }
        let capacity = length + 1
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let copied = unsafe lws_hdr_copy(wsi, start, Int32(capacity), token)
            guard copied > 0 else { return nil }
            let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(copied))
            return unsafe String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Returns whether the head has the header `name`, for which libwebsockets has no token. An
    /// empty header counts, because another header of that name may follow it.
    private static func has(_ name: StaticString, _ wsi: OpaquePointer) -> Bool {
        unsafe withCharacters(of: name) {
            unsafe lws_hdr_custom_length(wsi, $0.baseAddress, Int32($0.count)) >= 0
        }
    }

    /// Returns the value of a header for which libwebsockets has no token. If the header is
    /// repeated, returns the first value. Returns nil if the header is absent or empty. `name` is
    /// in lower case and ends with a colon.
    private static func header(named name: StaticString, of wsi: OpaquePointer) -> String? {
        unsafe withCharacters(of: name) { unsafe header(named: $0, of: wsi) }
    }

    private static func withCharacters<Result>(
        of name: StaticString, _ body: (UnsafeBufferPointer<CChar>) -> Result
    ) -> Result {
        let bytes = unsafe UnsafeBufferPointer(
            start: name.utf8Start, count: name.utf8CodeUnitCount)
        return unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe body($0) }
    }

    /// Returns the value of a header for which libwebsockets has no token; nil if the header is
    /// absent or empty. `name` is in lower case and ends with a colon.
    static func header(
        named name: UnsafeBufferPointer<CChar>, of wsi: OpaquePointer
    ) -> String? {
        let length = Int(unsafe lws_hdr_custom_length(wsi, name.baseAddress, Int32(name.count)))
        guard length > 0 else { return nil }
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) {
            buffer in
            let copied = unsafe lws_hdr_custom_copy(
                wsi, buffer.baseAddress, Int32(length + 1), name.baseAddress, Int32(name.count))
            guard copied > 0 else { return nil }
            let bytes = unsafe UnsafeRawBufferPointer(
                start: buffer.baseAddress, count: Int(copied))
            return unsafe String(decoding: bytes, as: UTF8.self)
        }
    }
}
