internal import CCurl
internal import RefreshProtocol

/// One libcurl handle at work for a transfer. Only on the thread of `CurlTransfers`.
@safe final class CurlCall {
    let transfer: CurlTransfer
    let easy: UnsafeMutableRawPointer
    private let options: HTTPOptions
    private var body: [UInt8] = []
    private var isTooLarge = false

    /// Sets everything libcurl shall know. Nil when it refuses any of it.
    init?(_ transfer: CurlTransfer, options: HTTPOptions, isSecure: Bool) {
        guard let easy = unsafe curl_easy_init() else { return nil }
        self.transfer = transfer
        self.options = options
        unsafe self.easy = easy
        let cap = curl_off_t(options.responseBytesMax)
        let this = unsafe Unmanaged.passUnretained(self).toOpaque()
        // An option that libcurl does not take would be a check that is not made.
        let results = unsafe [
            ccurl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https"),
            ccurl_set_string(easy, CURLOPT_URL, transfer.url),
            // What was percent-encoded stays as it is, and dots are not resolved behind our back.
            ccurl_set_long(easy, CURLOPT_PATH_AS_IS, 1),
            ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0),
            // Empty strings: the environment is not asked.
            ccurl_set_string(easy, CURLOPT_PROXY, options.proxy ?? ""),
            ccurl_set_string(easy, CURLOPT_NOPROXY, ""),
            ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeoutMs),
            ccurl_set_long(easy, CURLOPT_TIMEOUT_MS, options.totalTimeoutMs),
            ccurl_set_offset(easy, CURLOPT_MAXFILESIZE_LARGE, cap),
            // Signals belong to the daemon's own thread.
            ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1),
            ccurl_set_string(easy, CURLOPT_USERAGENT, "refreshd"),
            ccurl_set_write_function(easy, curlCallReceive),
            ccurl_set_pointer(easy, CURLOPT_WRITEDATA, this),
        ]
        guard results.allSatisfy({ $0 == CURLE_OK }) else { return nil }
    }

    deinit { unsafe curl_easy_cleanup(easy) }

    /// Takes a piece of the body; false once there is more than allowed.
    fileprivate func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= options.responseBytesMax - body.count else {
            isTooLarge = true
            return false
        }
        unsafe body.append(contentsOf: bytes)
        return true
    }

    /// What the task is told when libcurl is done with `result`.
    func outcome(_ result: CURLcode) -> CurlTransfer.Result {
        switch result {
        case CURLE_OK:
            return .success(answer())
        case CURLE_FILESIZE_EXCEEDED:
            return .failure(tooLarge)
        case CURLE_WRITE_ERROR where isTooLarge:
            return .failure(tooLarge)
        case CURLE_OPERATION_TIMEDOUT:
            // A call that never connected ran into the connect deadline, or the total one before
            // it.
            return .failure(
                isConnected
                    ? LoadFailure(.backendTimedOut, "No answer in \(options.totalTimeoutMs) ms.")
                    : LoadFailure(
                        .backendUnavailable, "No connection in \(options.connectTimeoutMs) ms."))
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
            CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_PROXY:
            return .failure(LoadFailure(.backendUnavailable, Self.message(result)))
        case CURLE_TOO_MANY_REDIRECTS, CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT:
            return .failure(LoadFailure(.backendRejected, Self.message(result)))
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            return .failure(LoadFailure(.backendAnswerMalformed, Self.message(result)))
        default:
            return .failure(LoadFailure(.backendFailed, Self.message(result)))
        }
    }

    private func answer() -> HTTPAnswer {
        var status = 0
        var retryAfter: curl_off_t = 0
        unsafe ccurl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
        unsafe ccurl_get_offset(easy, CURLINFO_RETRY_AFTER, &retryAfter)
        return HTTPAnswer(
            status: status, body: body, retryAfterSeconds: retryAfter > 0 ? Int(retryAfter) : nil)
    }

    /// Whether TCP and TLS stood: the time until then is known.
    private var isConnected: Bool {
        var time: curl_off_t = 0
        unsafe ccurl_get_offset(easy, CURLINFO_PRETRANSFER_TIME_T, &time)
        return time > 0
    }

    private var tooLarge: LoadFailure {
        LoadFailure(
            .backendAnswerTooLarge, "The answer is larger than \(options.responseBytesMax) bytes.")
    }

    /// libcurl's general text for the code; it names neither URL nor host.
    private static func message(_ result: CURLcode) -> String {
        guard let text = unsafe curl_easy_strerror(result) else { return "The call failed." }
        return unsafe "\(String(cString: text))."
    }
}

/// `CURLOPT_WRITEFUNCTION`: returns how many bytes were taken; fewer than came ends the transfer.
private func curlCallReceive(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let call = unsafe Unmanaged<CurlCall>.fromOpaque(context).takeUnretainedValue()
    let length = size * count
    return unsafe call.receive(UnsafeRawBufferPointer(start: bytes, count: length)) ? length : 0
}
