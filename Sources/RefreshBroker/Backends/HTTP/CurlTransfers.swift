internal import CCurl
internal import RefreshProtocol
internal import Synchronization

/// Requests on a thread of libcurl's multi interface, for any task.
///
/// Tasks leave a `CurlTransfer` in `inbox` and wake the thread; it alone touches libcurl otherwise.
///
/// Unchecked because of the raw handle: `multi` never changes, and beside the thread only
/// `curl_multi_wakeup` takes it, which libcurl allows on any thread (curl_multi_wakeup(3)) while
/// the handle lives: the thread ends, and cleans it up, only after `deinit` asked for that.
@safe final class CurlTransfers: @unchecked Sendable {
    private let inbox = CurlInbox()
    private let multi: UnsafeMutableRawPointer

    /// Nil when libcurl or the system cannot give what is needed.
    init?(options: HTTPOptions) {
        guard Self.isInitialized, let multi = unsafe curl_multi_init() else { return nil }
        unsafe self.multi = multi
        let loop = unsafe CurlLoop(multi: multi, inbox: inbox, options: options)
        guard let thread = ServiceThread({ loop.run() }) else {
            unsafe curl_multi_cleanup(multi)
            return nil
        }
        thread.detach()
    }

    deinit {
        // Nobody waits any more: who waits holds the backend, and with it this object.
        inbox.stop { unsafe curl_multi_wakeup(multi) }
    }

    /// Asks once. Every end but an answer of the server is a failure.
    func answer(to request: HTTPRequest) async throws(LoadFailure) -> HTTPAnswer {
        let transfer = CurlTransfer(request)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfer.begin(continuation)
                post(transfer)
            }
        } onCancel: {
            transfer.cancel()
            post(transfer)
        }
        return try result.get()
    }

    /// The thread looks at a posted transfer: it starts a new one and ends a cancelled one.
    private func post(_ transfer: CurlTransfer) {
        inbox.post(transfer) { unsafe curl_multi_wakeup(multi) }
    }

    /// Once in the process, before any other thread uses libcurl.
    private static let isInitialized = ccurl_global_init() == CURLE_OK
}
