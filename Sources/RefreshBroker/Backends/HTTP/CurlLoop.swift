internal import CCurl
internal import RefreshProtocol

/// What the thread of `CurlTransfers` does: starts, drives and ends calls until it is asked to
/// stop.
///
/// Unchecked because it is made on one thread and then used on its own alone; `multi` and
/// `options` never change, `inbox` guards itself, `calls` and `handles` belong to the
/// thread.
@safe final class CurlLoop: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer
    private let inbox: CurlInbox
    private let options: HTTPOptions
    private var calls: [ObjectIdentifier: CurlCall] = [:]
    /// The same calls by their handles.
    private var handles: [UnsafeMutableRawPointer: CurlCall] = unsafe [:]

    /// How long the thread sleeps when nothing happens, milliseconds; libcurl's own timers cut it
    /// short.
    private static let sleepMs: Int32 = 60_000

    init(multi: UnsafeMutableRawPointer, inbox: CurlInbox, options: HTTPOptions) {
        unsafe self.multi = multi
        self.inbox = inbox
        self.options = options
    }

    /// Until the inbox says stop; takes the multi handle with it.
    func run() {
        while true {
            let (posted, isStopped) = inbox.take()
            for transfer in posted { look(at: transfer) }
            if isStopped { break }
            var running: Int32 = 0
            unsafe curl_multi_perform(multi, &running)
            endFinished()
            unsafe curl_multi_poll(multi, nil, 0, Self.sleepMs, nil)
        }
        for call in calls.values { end(call, Self.aborted) }
        unsafe curl_multi_cleanup(multi)
    }

    private func look(at transfer: CurlTransfer) {
        let call = calls[ObjectIdentifier(transfer)]
        if transfer.isCancelled {
            // Before its start, in flight, or after its end: then nobody waits and `end` does
            // nothing.
            if let call { end(call, Self.aborted) } else { transfer.end(Self.aborted) }
        } else if call == nil, transfer.isAwaited {
            start(transfer)
        }
    }

    private func start(_ transfer: CurlTransfer) {
        guard let call = CurlCall(transfer, options: options),
            unsafe curl_multi_add_handle(multi, call.easy) == CURLM_OK
        else {
            transfer.end(.failure(LoadFailure(.backendFailed, "libcurl refused the call.")))
            return
        }
        calls[ObjectIdentifier(transfer)] = call
        unsafe handles[call.easy] = call
    }

    private func endFinished() {
        var waiting: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &waiting) {
            // The message is gone once the handle is taken out.
            let easy = unsafe message.pointee.easy_handle
            let result = unsafe ccurl_message_result(message)
            if let easy = unsafe easy, let call = unsafe handles[easy] {
                end(call, call.outcome(result))
            }
        }
    }

    private func end(_ call: CurlCall, _ result: CurlTransfer.Result) {
        calls[ObjectIdentifier(call.transfer)] = nil
        unsafe handles[call.easy] = nil
        // Whoever waits is not to wait for libcurl's tidying too.
        call.transfer.end(result)
        unsafe curl_multi_remove_handle(multi, call.easy)
    }

    /// For a task that was cancelled: who waited is gone, so nobody reads the words.
    private static let aborted = CurlTransfer.Result.failure(
        LoadFailure(.backendFailed, "The call was cancelled."))
}
