internal import CCurl
internal import RefreshBroker
internal import RefreshProtocol
internal import Synchronization

/// Performs HTTP requests on behalf of Swift tasks. One thread performs all of them, with the multi
/// interface of libcurl.
///
/// Tasks post a `CurlTransfer` to `inbox` and wake the thread. Only that thread performs transfers.
///
/// Sendability is unchecked because of the raw handle. `multi` never changes. Other threads pass it
/// only to `curl_multi_wakeup`. libcurl allows this on any thread while the handle exists
/// (curl_multi_wakeup(3)). The thread ends and releases the handle only after `deinit` has
/// requested the end.
@safe final class CurlTransfers: @unchecked Sendable {
    private let inbox = CurlInbox()
    private let multi: UnsafeMutableRawPointer

    /// Starts the thread. `changes` receives the stream of changes, if there is one. Returns nil if
    /// libcurl or the system lacks resources.
    init?(options: HTTPOptions, changes: ChangeStreamReporter? = nil) {
        guard Self.isInitialized, let multi = unsafe curl_multi_init() else { return nil }
        unsafe self.multi = multi
        var stream: ChangeStream?
        if let url = options.changes, let changes {
            stream = ChangeStream(
                url: url, headers: options.headers, reporter: changes,
                seed: .random(in: .min ... .max), at: MonotonicTime.now)
        }
        let loop = unsafe CurlLoop(multi: multi, inbox: inbox, options: options, stream: stream)
        guard let thread = ServiceThread({ loop.run() }) else {
            unsafe curl_multi_cleanup(multi)
            return nil
        }
        thread.detach()
    }

    deinit {
        // No task is waiting, because a waiting task retains the backend and thereby this object.
        inbox.stop { unsafe curl_multi_wakeup(multi) }
    }

    /// Ends the stream of changes, without waiting.
    func stopStream() { inbox.stopStream { unsafe curl_multi_wakeup(multi) } }

    /// Sends the request once. Throws if the server sends no complete answer.
    func answer(to request: HTTPRequest) async throws(LoadFailure) -> HTTPAnswer {
        let transfer = CurlTransfer(request)
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
        inbox.post(transfer) { unsafe curl_multi_wakeup(multi) }
    }

    /// Initializes libcurl once per process, before any other thread uses it.
    private static let isInitialized = ccurl_global_init() == CURLE_OK
}
