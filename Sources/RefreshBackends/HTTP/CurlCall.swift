internal import CCurl
internal import RefreshBroker
internal import RefreshProtocol

/// A transfer in progress on a libcurl handle. It is used only on the thread of `HTTPClient`.
@safe final class CurlCall {
    let transfer: CurlTransfer
    let easy: UnsafeMutableRawPointer
    private var options: HTTPOptions { transfer.options }
    /// The request's header lines. libcurl reads them until the handle is released.
    private let lines: CurlLines
    private var body: [UInt8] = []
    private var fields = ResponseFields()
    /// The reason why this call ended the transfer.
    private var fault: LoadFailure?
    /// The number of discarded body bytes.
    private var skipped = 0

    /// The body of a failed answer is read and discarded, so that the connection can be reused.
    /// This is the maximum number of discarded bytes. If the body is longer, the transfer ends.
    private static let skippedMax = 65_536

    /// Creates a handle and sets all its options. Returns nil if libcurl rejects any of them.
    init?(_ transfer: CurlTransfer) {
        guard let easy = unsafe curl_easy_init() else { return nil }
        unsafe self.easy = easy
        self.transfer = transfer
        self.lines = CurlLines(transfer.request)
        guard lines.isComplete, setConnection(), setRequest(), setCallbacks() else { return nil }
    }

    deinit { unsafe curl_easy_cleanup(easy) }

    /// Sets the options for certificates, proxy and timeouts.
    private func setConnection() -> Bool {
        let version = options.http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
        // Every option must be accepted, because a rejected option could disable a security check.
        var results = unsafe [
            ccurl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https"),
            // Redirects are followed by `HTTPBackend`, which knows the permitted origin.
            ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0),
            ccurl_set_long(easy, CURLOPT_HTTP_VERSION, Int(version)),
            ccurl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1),
            ccurl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 2),
            // Empty strings prevent libcurl from using the environment.
            ccurl_set_string(easy, CURLOPT_PROXY, options.proxy ?? ""),
            ccurl_set_string(easy, CURLOPT_NOPROXY, ""),
            ccurl_set_long(easy, CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue)),
            ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeoutMs),
            ccurl_set_long(easy, CURLOPT_TIMEOUT_MS, transfer.request.timeoutMs),
            // Names are resolved on a separate thread. With this option, a call can end before
            // that thread has finished.
            ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1),
            // libcurl must not use signals, which the daemon handles on a thread of its own.
            ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1),
        ]
        if let ca = options.ca {
            unsafe results.append(ccurl_set_string(easy, CURLOPT_CAINFO, ca))
            // Only these certificates are trusted.
            unsafe results.append(ccurl_set_string(easy, CURLOPT_CAPATH, nil))
        }
        return results.allSatisfy { $0 == CURLE_OK }
    }

    private func setRequest() -> Bool {
        let request = transfer.request
        var results = unsafe [
            ccurl_set_string(easy, CURLOPT_URL, request.url),
            // With this option, libcurl sends the path unchanged and does not resolve dot segments.
            ccurl_set_long(easy, CURLOPT_PATH_AS_IS, 1),
            ccurl_set_string(easy, CURLOPT_USERAGENT, "refreshd"),
            ccurl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate"),
            ccurl_set_lines(easy, CURLOPT_HTTPHEADER, lines.list),
        ]
        if request.method == .post {
            let body = request.body ?? []
            let size = curl_off_t(body.count)
            unsafe results.append(ccurl_set_long(easy, CURLOPT_POST, 1))
            unsafe results.append(ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, size))
            let copied = unsafe body.withUnsafeBytes { bytes in
                // An empty array has no base address, and without an address libcurl would read
                // standard input.
                unsafe bytes.baseAddress.map {
                    unsafe ccurl_set_bytes(easy, CURLOPT_COPYPOSTFIELDS, $0)
                } ?? ccurl_set_string(easy, CURLOPT_COPYPOSTFIELDS, "")
            }
            results.append(copied)
        }
        return results.allSatisfy { $0 == CURLE_OK }
    }

    private func setCallbacks() -> Bool {
        let this = unsafe Unmanaged.passUnretained(self).toOpaque()
        let results = unsafe [
            ccurl_set_function(easy, CURLOPT_WRITEFUNCTION, curlCallReceive),
            ccurl_set_pointer(easy, CURLOPT_WRITEDATA, this),
            // A proxy's response to CONNECT is not the backend's answer.
            ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
            ccurl_set_function(easy, CURLOPT_HEADERFUNCTION, curlCallReceiveLine),
            ccurl_set_pointer(easy, CURLOPT_HEADERDATA, this),
        ]
        return results.allSatisfy { $0 == CURLE_OK }
    }

    /// Appends a decompressed part of the body. Returns false if the transfer must end.
    fileprivate func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let receiver = transfer.receiver { return receiver.body(unsafe Array(bytes)) }
        guard isSuccess else {
            skipped += bytes.count
            return skipped <= Self.skippedMax
        }
        guard bytes.count <= options.responseBytesMax - body.count else {
            fault = tooLarge
            return false
        }
        unsafe body.append(contentsOf: bytes)
        return true
    }

    /// Handles a header line. Returns false if the transfer must end.
    fileprivate func receive(line bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(LoadFailure) {
            let wasComplete = fields.isComplete
            try fields.handleLine(unsafe Array(bytes))
            if let receiver = transfer.receiver {
                return wasComplete || !fields.isComplete || receiver.head(fields)
            }
            // A declared length above the limit is rejected before the body arrives.
            guard fields.isComplete, isSuccess, fields.length > options.responseBytesMax
            else { return true }
            throw tooLarge
        } catch {
            fault = error
            return false
        }
    }

    private var isSuccess: Bool { 200..<300 ~= fields.status }

    /// Returns the result for the task after libcurl has finished with `result`.
    func outcome(_ result: CURLcode) -> CurlTransfer.Result {
        if let fault { return .failure(fault) }
        guard fields.isComplete else {
            guard result == CURLE_OK else { return .failure(failure(result)) }
            return .failure(LoadFailure(.backendFailed, "The answer ends within its headers."))
        }
        // A status that is not 2xx is enough for the result, even if the body is incomplete.
        guard result == CURLE_OK || !isSuccess else { return .failure(failure(result)) }
        return .success(answer())
    }

    private func answer() -> HTTPAnswer {
        var status = 0
        var retryAfter: curl_off_t = 0
        unsafe ccurl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
        unsafe ccurl_get_offset(easy, CURLINFO_RETRY_AFTER, &retryAfter)
        var redirect: UnsafeMutablePointer<CChar>?
        unsafe ccurl_get_string(easy, CURLINFO_REDIRECT_URL, &redirect)
        return HTTPAnswer(
            status: status, body: body, fields: fields,
            retryAfterSeconds: retryAfter > 0 ? Int(retryAfter) : nil,
            redirect: unsafe redirect.map { unsafe String(cString: $0) })
    }

    private func failure(_ result: CURLcode) -> LoadFailure {
        switch result {
        case CURLE_OPERATION_TIMEDOUT:
            // If there is no connection, either the connect timeout has passed, or a total timeout
            // that is shorter.
            return isConnected
                ? LoadFailure(.backendTimedOut, "No answer in \(options.totalTimeoutMs) ms.")
                : LoadFailure(
                    .backendUnavailable, "No connection in \(options.connectTimeoutMs) ms.")
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
            CURLE_SSL_CONNECT_ERROR, CURLE_PROXY:
            return LoadFailure(.backendUnavailable, Self.message(result))
        case CURLE_RECV_ERROR where isRefusedByProxy:
            return LoadFailure(.backendUnavailable, "The proxy refuses the connection.")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_INVALIDCERTSTATUS:
            return LoadFailure(.backendUntrusted, Self.message(result))
        case CURLE_URL_MALFORMAT:
            return LoadFailure(.backendRejected, Self.message(result))
        case CURLE_UNSUPPORTED_PROTOCOL:
            return LoadFailure(.backendAnswerMalformed, "The answer is not HTTP.")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            return LoadFailure(.backendAnswerMalformed, Self.message(result))
        default:
            return LoadFailure(.backendFailed, Self.message(result))
        }
    }

    /// Whether the TCP and TLS connection was established. If it was not established, libcurl
    /// reports the time 0.
    private var isConnected: Bool {
        var time: curl_off_t = 0
        unsafe ccurl_get_offset(easy, CURLINFO_PRETRANSFER_TIME_T, &time)
        return time > 0
    }

    private var isRefusedByProxy: Bool {
        var status = 0
        unsafe ccurl_get_long(easy, CURLINFO_HTTP_CONNECTCODE, &status)
        return status >= 300
    }

    private var tooLarge: LoadFailure {
        LoadFailure(
            .backendAnswerTooLarge, "The answer is larger than \(options.responseBytesMax) bytes.")
    }

    /// Returns libcurl's general text for the code. It contains neither URL nor host name.
    private static func message(_ result: CURLcode) -> String {
        guard let text = unsafe curl_easy_strerror(result) else { return "The call failed." }
        return unsafe "\(String(cString: text))."
    }
}

/// The `CURLOPT_WRITEFUNCTION`. It returns the number of bytes that it accepts. If this number is
/// smaller than the number of bytes passed, libcurl ends the transfer.
private func curlCallReceive(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let call = unsafe Unmanaged<CurlCall>.fromOpaque(context).takeUnretainedValue()
    let length = size * count
    return unsafe call.receive(UnsafeRawBufferPointer(start: bytes, count: length)) ? length : 0
}

/// The `CURLOPT_HEADERFUNCTION`. It receives one header line with its line end, and returns the
/// number of bytes that it accepts.
private func curlCallReceiveLine(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let call = unsafe Unmanaged<CurlCall>.fromOpaque(context).takeUnretainedValue()
    let length = size * count
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: length)
    return unsafe call.receive(line: line) ? length : 0
}
