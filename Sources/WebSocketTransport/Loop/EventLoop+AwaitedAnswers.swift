import CLWS

// Answers that the handler provides later.
extension EventLoop {
    /// The time limit in seconds for an answer that a handler provides later. After this time the
    /// connection is cut. A handler that cannot answer in time must send a failure before this
    /// limit.
    package static let awaitedAnswerSeconds = 10
    /// The time in seconds within which a peer must receive an awaited answer.
    private static let takingSeconds: Int32 = 20

    /// Answers a request for which `TransportHandler.respond` has returned nil. If the connection
    /// has ended, the call has no effect. Loop thread only.
    package func answer(_ ticket: HTTPTicket, with response: HTTPResponse) {
        checkThread()
        guard let record = awaitedAnswers.removeValue(forKey: ticket), let wsi = unsafe record.wsi,
            let awaited = record.held as? AwaitedAnswer
        else { return }
        record.held = HTTPExchange(response, to: awaited.head, ending: awaited.ending)
        if awaited.head.hasBody { unsafe lws_rx_flow_control(wsi, 1) }
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, Self.takingSeconds)
        unsafe lws_callback_on_writable(wsi)
    }

    /// Returns a ticket for the current request.
    func nextTicket() -> HTTPTicket {
        lastTicket += 1
        return HTTPTicket(number: lastTicket)
    }

    /// Records that the request will be answered later. Nothing is read from the connection until
    /// the answer.
    func awaitAnswer(_ answer: AwaitedAnswer, on wsi: OpaquePointer) -> Int32 {
        guard let record = unsafe connectionRecord(wsi) else { return -1 }
        record.held = answer
        record.phase = .answer
        awaitedAnswers[answer.ticket] = record
        unsafe setInputPaused(of: wsi, true)
        // libwebsockets continues to read after a body. If it had already taken bytes that follow
        // the body, these bytes would wake it continuously. Reading is therefore paused. While
        // reading is paused, libwebsockets does not write, so `answer` resumes reading.
        if answer.head.hasBody { unsafe lws_rx_flow_control(wsi, 0) }
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, Int32(Self.awaitedAnswerSeconds))
        return 0
    }

    /// Drops the ticket of a request whose connection has ended.
    func removeTicket(of awaited: AwaitedAnswer) { awaitedAnswers[awaited.ticket] = nil }
}
