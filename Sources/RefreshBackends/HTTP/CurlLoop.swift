internal import CCurl
internal import RefreshBroker
internal import RefreshProtocol

/// The main loop of the thread of `CurlTransfers`. It starts, drives and ends calls until it must
/// stop.
///
/// Sendability is unchecked, because the object is created on one thread and then used only on its
/// own thread. `multi` and `options` never change, and `inbox` is synchronized. Only the object's
/// thread uses `calls` and `handles`.
@safe final class CurlLoop: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer
    private let inbox: CurlInbox
    private let options: HTTPOptions
    private var calls: [ObjectIdentifier: CurlCall] = [:]
    /// The calls in `calls`, by their libcurl handles.
    private var handles: [UnsafeMutableRawPointer: CurlCall] = unsafe [:]

    /// The maximum sleep of the thread in milliseconds. libcurl's timers may shorten it.
    private static let sleepMs: Int32 = 60_000

    init(multi: UnsafeMutableRawPointer, inbox: CurlInbox, options: HTTPOptions) {
        unsafe self.multi = multi
        self.inbox = inbox
        self.options = options
    }

    /// Runs until the inbox requests a stop, then releases the multi handle.
    func run() {
        while true {
            let (posted, isStopped) = inbox.drain()
            for transfer in posted { handle(transfer) }
            if isStopped { break }
            var running: Int32 = 0
            unsafe curl_multi_perform(multi, &running)
            endFinished()
            unsafe curl_multi_poll(multi, nil, 0, Self.sleepMs, nil)
        }
        for call in calls.values { end(call, Self.aborted) }
        unsafe curl_multi_cleanup(multi)
    }

    private func handle(_ transfer: CurlTransfer) {
        let call = calls[ObjectIdentifier(transfer)]
        if transfer.isCancelled {
            // The transfer has not started, is in flight, or has ended. If it has ended, no task
            // waits, and `complete` has no effect.
            if let call { end(call, Self.aborted) } else { transfer.complete(Self.aborted) }
        } else if call == nil, transfer.isAwaited {
            start(transfer)
        }
    }

    private func start(_ transfer: CurlTransfer) {
        guard let call = CurlCall(transfer, options: options),
            unsafe curl_multi_add_handle(multi, call.easy) == CURLM_OK
        else {
            transfer.complete(.failure(LoadFailure(.backendFailed, "libcurl refused the call.")))
            return
        }
        calls[ObjectIdentifier(transfer)] = call
        unsafe handles[call.easy] = call
    }

    private func endFinished() {
        var waiting: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &waiting) {
            // The message becomes invalid when the handle is removed.
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
        // The waiting task is resumed before libcurl cleans up.
        call.transfer.complete(result)
        unsafe curl_multi_remove_handle(multi, call.easy)
    }

    /// The result of a cancelled task. Nothing uses this result.
    private static let aborted = CurlTransfer.Result.failure(
        LoadFailure(.backendFailed, "The call was cancelled."))
}
