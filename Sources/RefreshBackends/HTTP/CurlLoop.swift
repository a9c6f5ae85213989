internal import CCurl
internal import RefreshBroker
internal import RefreshProtocol

/// The main loop of the thread of `HTTPClient`. It starts, drives and ends calls until it must
/// stop.
///
/// Sendability is unchecked, because the object is created on one thread and then used only on its
/// own thread. `multi` never changes, and `inbox` is synchronized. Only the object's thread uses
/// the variables.
@safe final class CurlLoop: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer
    private let inbox: CurlInbox
    private var calls: [ObjectIdentifier: CurlCall] = [:]
    /// The calls in `calls`, by their libcurl handles.
    private var handles: [UnsafeMutableRawPointer: CurlCall] = unsafe [:]
    /// The streams of changes, by the identity of their reporters.
    var streams: [ObjectIdentifier: OpenStream] = [:]
    /// The earliest time at which a stream needs the thread; nil if there is none.
    var streamDeadline: Instant?
    /// Whether `streamDeadline` must be computed again before the thread sleeps.
    var hasChangedStreams = false

    /// A stream of changes, and its connection if it has one.
    struct OpenStream {
        var stream: ChangeStream
        var call: CurlCall?
    }

    /// The maximum sleep of the thread in milliseconds. libcurl's timers may shorten it.
    private static let sleepMsMax: Int32 = 60_000
    /// The maximum number of connections for each backend and for each call, all together. If there
    /// are more, libcurl closes the one that was idle for the longest time. Without this limit, it
    /// counts the calls only (CURLMOPT_MAXCONNECTS(3)).
    private static let connectionsMax = 4

    init(multi: UnsafeMutableRawPointer, inbox: CurlInbox) {
        unsafe self.multi = multi
        self.inbox = inbox
    }

    /// Runs until the inbox requests a stop, then releases the multi handle.
    func run() {
        while true {
            let state = inbox.drain()
            for transfer in state.posted { handle(transfer) }
            for order in state.streams { handle(order) }
            if state.isStopped { break }
            advanceStreams()
            setConnectionsMax(backends: state.backends)
            var running: Int32 = 0
            unsafe curl_multi_perform(multi, &running)
            endFinished()
            updateStreamDeadline()
            unsafe curl_multi_poll(multi, nil, 0, sleepMs, nil)
        }
        endStreams()
        for call in calls.values { end(call, Self.aborted) }
        unsafe curl_multi_cleanup(multi)
    }

    /// The time until a stream needs the thread, at most `sleepMsMax`.
    private var sleepMs: Int32 {
        guard let streamDeadline else { return Self.sleepMsMax }
        let ms = (streamDeadline.microseconds - MonotonicTime.now.microseconds + 999) / 1000
        return Int32(min(max(0, ms), Int64(Self.sleepMsMax)))
    }

    private func setConnectionsMax(backends: Int) {
        let count = Self.connectionsMax * max(1, backends + calls.count)
        // If libcurl refuses the value, it keeps the last one.
        _ = unsafe ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, count)
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

    /// Returns the started call, or nil if libcurl refuses it.
    @discardableResult
    func start(_ transfer: CurlTransfer) -> CurlCall? {
        guard let call = CurlCall(transfer),
            unsafe curl_multi_add_handle(multi, call.easy) == CURLM_OK
        else {
            transfer.complete(.failure(LoadFailure(.backendFailed, "libcurl refused the call.")))
            return nil
        }
        calls[ObjectIdentifier(transfer)] = call
        unsafe handles[call.easy] = call
        return call
    }

    private func endFinished() {
        var waiting: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &waiting) {
            // The message becomes invalid when the handle is removed.
            let easy = unsafe message.pointee.easy_handle
            let result = unsafe ccurl_message_result(message)
            if let easy = unsafe easy, let call = unsafe handles[easy] {
                let outcome = call.outcome(result)
                end(call, outcome)
                if let stream = call.transfer.receiver?.stream {
                    endStreamCall(call, of: stream, outcome)
                }
            }
        }
    }

    func end(_ call: CurlCall, _ result: CurlTransfer.Result) {
        calls[ObjectIdentifier(call.transfer)] = nil
        unsafe handles[call.easy] = nil
        // The waiting task is resumed before libcurl cleans up.
        call.transfer.complete(result)
        unsafe curl_multi_remove_handle(multi, call.easy)
    }

    /// The result of a cancelled task. Nothing uses this result.
    static let aborted = CurlTransfer.Result.failure(
        LoadFailure(.backendFailed, "The call was cancelled."))
}
