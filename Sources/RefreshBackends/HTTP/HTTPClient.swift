internal import CCurl
internal import RefreshBroker
internal import RefreshProtocol
internal import Synchronization

/// An HTTP client, which several backends can share. One thread performs all their requests, with
/// the multi interface of libcurl, and reuses their connections.
///
/// Tasks post a `CurlTransfer` to `inbox` and wake the thread. Only that thread performs transfers.
///
/// Sendability is unchecked because of the raw handle. `multi` never changes. Other threads pass it
/// only to `curl_multi_wakeup`. libcurl allows this on any thread while the handle exists
/// (curl_multi_wakeup(3)). The thread ends and releases the handle only after `deinit` has
/// requested the end.
@safe package final class HTTPClient: @unchecked Sendable {
    private let inbox = CurlInbox()
    private let multi: UnsafeMutableRawPointer

    /// Starts the thread. Returns nil if libcurl or the system lacks resources.
    package init?() {
        guard Self.isInitialized, let multi = unsafe curl_multi_init() else { return nil }
        unsafe self.multi = multi
        let loop = unsafe CurlLoop(multi: multi, inbox: inbox)
        guard let thread = ServiceThread(isBatch: true, { loop.run() }) else {
            unsafe curl_multi_cleanup(multi)
            return nil
        }
        thread.detach()
    }

    deinit {
        // No task is waiting, because a waiting task retains its backend and thereby this object.
        inbox.change(wake: wake) { $0.isStopped = true }
    }

    /// Records that a backend uses the client. If `stream` is not nil, the thread opens this stream
    /// of changes.
    func addBackend(_ stream: ChangeStream?) {
        inbox.change(wake: wake) { state in
            state.backends += 1
            if let stream { state.streams.append(.open(stream)) }
        }
    }

    /// Records that a backend no longer uses the client.
    func removeBackend() { inbox.change(wake: wake) { $0.backends -= 1 } }

    /// Ends the stream of changes of this reporter, without waiting.
    func endStream(of reporter: ChangeStreamReporter) {
        inbox.change(wake: wake) { $0.streams.append(.end(ObjectIdentifier(reporter))) }
    }

    /// Sends the request once. Throws if the server sends no complete answer.
    func answer(
        to request: HTTPRequest, options: HTTPOptions
    ) async throws(LoadFailure) -> HTTPAnswer {
        let transfer = CurlTransfer(request, options: options)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfer.setContinuation(continuation)
                post(transfer)
            }
        } onCancel: {
            transfer.cancel()
            post(transfer)
        }
        return try result.get()
    }

    /// Passes a transfer to the thread. The thread starts the transfer or, if it is cancelled, ends
    /// it.
    private func post(_ transfer: CurlTransfer) {
        inbox.post(transfer, wake: wake)
    }

    private func wake() { unsafe curl_multi_wakeup(multi) }

    /// Initializes libcurl once per process, before any other thread uses it.
    private static let isInitialized = ccurl_global_init() == CURLE_OK
}
