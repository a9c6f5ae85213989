internal import CCurl
internal import RefreshBroker
internal import RefreshProtocol

/// The main loop of the thread of `CurlTransfers`. It starts, drives and ends calls until it must
/// stop.
///
/// Sendability is unchecked, because the object is created on one thread and then used only on its
/// own thread. `multi` and `options` never change, and `inbox` is synchronized. Only the object's
/// thread uses the variables.
@safe final class CurlLoop: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer
    private let inbox: CurlInbox
    private let options: HTTPOptions
    /// The stream of changes; nil if there is none.
    private var stream: ChangeStream?
    private var streamCall: CurlCall?
    private var calls: [ObjectIdentifier: CurlCall] = [:]
    /// The calls in `calls`, by their libcurl handles.
    private var handles: [UnsafeMutableRawPointer: CurlCall] = unsafe [:]

    /// The maximum sleep of the thread in milliseconds. libcurl's timers may shorten it.
    private static let sleepMsMax: Int32 = 60_000

    init(
        multi: UnsafeMutableRawPointer, inbox: CurlInbox, options: HTTPOptions,
        stream: ChangeStream?
    ) {
        unsafe self.multi = multi
        self.inbox = inbox
        self.options = options
        self.stream = stream
    }

    /// Runs until the inbox requests a stop, then releases the multi handle.
    func run() {
        while true {
            let (posted, isStopped, isStreamStopped) = inbox.drain()
            for transfer in posted { handle(transfer) }
            if isStopped || isStreamStopped { endStream() }
            if isStopped { break }
            updateStream(.clockAdvanced)
            var running: Int32 = 0
            unsafe curl_multi_perform(multi, &running)
            endFinished()
            unsafe curl_multi_poll(multi, nil, 0, sleepMs, nil)
        }
        for call in calls.values { end(call, Self.aborted) }
        unsafe curl_multi_cleanup(multi)
    }

    /// The time until the stream needs the thread, at most `sleepMsMax`.
    private var sleepMs: Int32 {
        guard let deadline = stream?.nextDeadline else { return Self.sleepMsMax }
        let ms = (deadline.microseconds - MonotonicTime.now.microseconds + 999) / 1000
        return Int32(min(max(0, ms), Int64(Self.sleepMsMax)))
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
                let outcome = call.outcome(result)
                let isStream = call === streamCall
                end(call, outcome)
                guard isStream else { continue }
                streamCall = nil
                if case .failure(let failure) = outcome {
                    updateStream(.ended(failure: failure.message))
                } else {
                    updateStream(.ended(failure: nil))
                }
            }
        }
    }

    // MARK: The stream of changes

    private func updateStream(_ input: ChangeStreamMachine.Input) {
        for order in stream?.handle(input, at: MonotonicTime.now) ?? [] {
            switch order {
            case .connect(let request): openStream(request)
            case .close: closeStream()
            }
        }
    }

    private func openStream(_ request: HTTPRequest) {
        // The functions are called on this thread, by libcurl.
        let receiver = CurlTransfer.Receiver { [unowned self] fields in
            continuesStream(.answered(status: fields.status, contentType: fields.contentType))
        } body: { [unowned self] bytes in
            continuesStream(.received(bytes))
        }
        let transfer = CurlTransfer(request, receiver: receiver)
        start(transfer)
        streamCall = calls[ObjectIdentifier(transfer)]
        if streamCall == nil { updateStream(.ended(failure: "libcurl refused the call.")) }
    }

    /// Passes a part of the answer to the stream. Returns false if the connection must be closed.
    /// libcurl then ends the transfer, and `streamCall` is nil, so that its end is not reported.
    private func continuesStream(_ input: ChangeStreamMachine.Input) -> Bool {
        let orders = stream?.handle(input, at: MonotonicTime.now) ?? [.close]
        guard orders.isEmpty else {
            streamCall = nil
            return false
        }
        return true
    }

    private func closeStream() {
        guard let call = streamCall else { return }
        streamCall = nil
        end(call, Self.aborted)
    }

    private func endStream() {
        closeStream()
        stream?.end()
        stream = nil
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
