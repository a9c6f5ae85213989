import CLWS

// Answers that the handler has to find out elsewhere.
extension EventLoop {
    /// Seconds that a handler may take for an answer; the connection is cut then. A handler that
    /// cannot know in time says so earlier.
    package static let lateAnswerSeconds = 10
    /// Seconds that a peer may take to take a late answer.
    private static let takingSeconds: Int32 = 20

    /// Answers a request that `respond` has left open; nothing happens if its connection is gone.
    /// Loop thread only.
    package func answer(_ ticket: HTTPTicket, with response: HTTPResponse) {
        checkThread()
        guard let visit = lateAnswers.removeValue(forKey: ticket), let wsi = unsafe visit.wsi,
            let awaited = visit.held as? AwaitedAnswer
        else { return }
        visit.held = HTTPExchange(response, to: awaited.head, ending: awaited.ending)
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, Self.takingSeconds)
        unsafe lws_callback_on_writable(wsi)
    }

    /// A ticket for the request at hand.
    func nextTicket() -> HTTPTicket {
        lastTicket += 1
        return HTTPTicket(number: lastTicket)
    }

    /// The request is answered later: until then nothing is read.
    func await(_ answer: AwaitedAnswer, on wsi: OpaquePointer) -> Int32 {
        guard let visit = unsafe visit(wsi) else { return -1 }
        visit.held = answer
        visit.phase = .answer
        lateAnswers[answer.ticket] = visit
        unsafe holdBackInput(of: wsi, true)
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, Int32(Self.lateAnswerSeconds))
        return 0
    }

    /// Nobody waits for it any more.
    func forget(_ awaited: AwaitedAnswer) { lateAnswers[awaited.ticket] = nil }
}
