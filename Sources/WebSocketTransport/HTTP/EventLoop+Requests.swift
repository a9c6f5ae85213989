import CLWS
import Glibc

// Requests that are not upgrades. If a request has a body that is read, the handler receives the
// request after the body.
//
//     handleRequest -> respond -> answer, at once or later
//           \-> awaitBody -> receivedBody -> bodyCompleted -> respond
extension EventLoop {
    /// Handles the head of a request.
    func handleRequest(_ wsi: OpaquePointer) -> Int32 {
        checkThread()
        let record = unsafe markHeadReceived(wsi)
        let head = unsafe RequestHead(of: wsi)
        if let refusal = unsafe refusal(
            of: head, on: wsi, isBuffered: record?.reader?.isBuffered == true)
        {
            unsafe writeNextPart(of: HTTPExchange(refusal, to: head, ending: .close), on: wsi)
            return -1
        }
        if head.method == "POST", head.hasBody { return unsafe awaitBody(of: head, on: wsi) }
        return unsafe respond(to: head, body: [], on: wsi)
    }

    /// Returns the refusal of a request that the handler must not receive; nil if the handler
    /// receives the request. If `isBuffered` is true, libwebsockets has read the head from the
    /// socket together with an earlier request.
    private func refusal(
        of head: RequestHead, on wsi: OpaquePointer, isBuffered: Bool
    ) -> HTTPResponse? {
        // A head that libwebsockets has not read to its end has no version.
        guard ["HTTP/1.1", "HTTP/1.0"].contains(head.version) else {
            return UpgradeGate.malformedHeadRefusal
        }
        guard let method = head.method, let handler else { return UpgradeGate.unknownMethodRefusal }
        guard head.hasBody else { return nil }
        if method == "DELETE" { return UpgradeGate.bodyRefusal }
        if method == "POST" {
            switch handler.bodyDecision(for: unsafe request(method, head, on: wsi)) {
            case .refuse(let response): return response
            case .read(bytesMax: ...0): return UpgradeGate.bodyRefusal
            case .read(let bytesMax):
                guard let count = head.bodyBytes, count > 0 else {
                    return UpgradeGate.bodyLengthRefusal
                }
                guard count <= bytesMax else { return UpgradeGate.bodyTooLargeRefusal }
                guard count <= LoopConfiguration.bodiesBytesMax - bodyTotal.bytes else {
                    return UpgradeGate.tooManyBodiesRefusal
                }
            }
        }
        // If the head is in libwebsockets' buffer, libwebsockets treats the bytes of the head as
        // the body. If the buffer contains bytes after the body, libwebsockets reads the buffer in
        // an endless loop.
        return isBuffered ? UpgradeGate.pipelinedBodyRefusal : nil
    }

    /// Returns the request as the handler receives it.
    private func request(
        _ method: String, _ head: RequestHead, body: [UInt8] = [], on wsi: OpaquePointer
    ) -> HTTPRequest {
        let socket = unsafe lws_get_socket_fd(wsi)
        let local = SocketAddress(localOf: socket)
        let peer = SocketAddress(peerOf: socket)?.host ?? ""
        let client = proxies.client(of: head, peer: peer)
        return unsafe HTTPRequest(
            method: method, path: head.path, query: head.query, host: head.host,
            origin: head.origin, authorization: head.authorization, peerAddress: peer,
            clientAddress: client.address, isEncrypted: client.isEncrypted,
            isForwarded: head.isForwarded, localAddress: local?.host ?? "",
            localPort: local?.port ?? 0,
            place: connectionRecord(wsi)?.place ?? ConnectionContext(), body: body)
    }

    /// Requests the answer from the handler. Sends the answer at once, or waits until the handler
    /// provides it.
    private func respond(to head: RequestHead, body: [UInt8], on wsi: OpaquePointer) -> Int32 {
        guard let handler, let method = head.method else { return -1 }
        let record = unsafe connectionRecord(wsi)
        let ending = record?.closesAfterFirstAnswer == true ? .close : head.ending
        let ticket = nextTicket()
        let response = handler.respond(
            to: unsafe request(method, head, body: body, on: wsi), ticket: ticket)
        guard let response else {
            return unsafe self.awaitAnswer(AwaitedAnswer(ticket, to: head, ending: ending), on: wsi)
        }
        let exchange = HTTPExchange(response, to: head, ending: ending)
        unsafe writeNextPart(of: exchange, on: wsi)
        guard unsafe isFullyWritten(exchange, on: wsi) else {
            unsafe store(exchange, on: wsi)
            record?.phase = .answer
            unsafe setInputPaused(of: wsi, true)
            unsafe lws_callback_on_writable(wsi)
            return 0
        }
        return unsafe finish(exchange, on: wsi)
    }

    /// Writes the next part of an answer when the socket is writable.
    func continueAnswer(_ wsi: OpaquePointer) -> Int32 {
        checkThread()
        guard let exchange = unsafe storedObject(on: wsi) as? HTTPExchange else { return 0 }
        if !exchange.isDone { unsafe writeNextPart(of: exchange, on: wsi) }
        guard unsafe isFullyWritten(exchange, on: wsi) else {
            unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, 20)
            unsafe lws_callback_on_writable(wsi)
            return 0
        }
        _ = unsafe removeStoredObject(on: wsi)
        unsafe setInputPaused(of: wsi, false)
        return unsafe finish(exchange, on: wsi)
    }
}

// The bodies of requests. The loop inspects heads but not bodies: libwebsockets reads a body on its
// own, up to the announced length. Bytes after the body are never read as a request, because the
// connection ends after the answer.
extension EventLoop {
    /// Starts to read the body of a request. The body must arrive within the time limit for a head,
    /// measured from the arrival of the head. libwebsockets also limits the time between two parts
    /// of the body to ten seconds.
    private func awaitBody(of head: RequestHead, on wsi: OpaquePointer) -> Int32 {
        guard let record = unsafe connectionRecord(wsi), let count = head.bodyBytes else {
            return -1
        }
        record.held = AwaitedBody(of: head, count: count, total: bodyTotal)
        record.phase = .body
        startHeadDeadline(of: record)
        // libwebsockets has set its own timeout for the first part of the body.
        unsafe lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0)
        if head.expectsContinue { unsafe write(HTTPHead.continueBytes[...], on: wsi) }
        return 0
    }

    /// Handles a part of a body. libwebsockets reads every body. If the handler must not receive a
    /// body, the body is dropped.
    func receivedBody(_ wsi: OpaquePointer, _ part: UnsafeRawBufferPointer) -> Int32 {
        checkThread()
        guard let body = unsafe storedObject(on: wsi) as? AwaitedBody else { return 0 }
        return unsafe body.append(part) ? 0 : -1
    }

    /// Handles the end of a body.
    func bodyCompleted(_ wsi: OpaquePointer) -> Int32 {
        checkThread()
        guard let record = unsafe connectionRecord(wsi), let body = record.held as? AwaitedBody
        else { return 0 }
        record.held = nil
        endHeadDeadline(of: record)
        guard body.isComplete else { return -1 }
        return unsafe respond(to: body.head, body: body.bytes, on: wsi)
    }
}
