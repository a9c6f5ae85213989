internal import RefreshBroker
internal import RefreshProtocol

/// The streams of changes of the feeds, on the thread of the HTTP client.
extension CurlLoop {
    func handle(_ order: CurlInbox.StreamOrder) {
        switch order {
        case .open(let stream):
            streams[stream.id] = OpenStream(stream: stream)
            update(stream.id, .clockAdvanced)
        case .end(let id):
            end(id)
            hasChangedStreams = true
        }
    }

    /// Advances all streams, if the time of one has come.
    func advanceStreams() {
        guard let streamDeadline, streamDeadline <= MonotonicTime.now else { return }
        for id in streams.keys { update(id, .clockAdvanced) }
    }

    func endStreams() {
        for id in streams.keys { end(id) }
    }

    /// Handles the end of a connection.
    func endStreamCall(
        _ call: CurlCall, of id: ObjectIdentifier, _ outcome: CurlTransfer.Result
    ) {
        guard let open = streams[id], open.call === call else { return }
        streams[id]?.call = nil
        if case .failure(let failure) = outcome {
            update(id, .ended(failure: failure.message))
        } else {
            update(id, .ended(failure: nil))
        }
    }

    private func update(_ id: ObjectIdentifier, _ input: ChangeStreamMachine.Input) {
        for order in streams[id]?.stream.handle(input, at: MonotonicTime.now) ?? [] {
            switch order {
            case .connect(let request): connect(id, request)
            case .close: closeConnection(of: id)
            }
        }
        hasChangedStreams = true
    }

    private func connect(_ id: ObjectIdentifier, _ request: HTTPRequest) {
        guard let stream = streams[id]?.stream else { return }
        // The functions are called on this thread, by libcurl.
        let receiver = CurlTransfer.Receiver(stream: id) { [unowned self] fields in
            continues(id, .answered(status: fields.status, contentType: fields.contentType))
        } body: { [unowned self] bytes in
            continues(id, .received(bytes))
        }
        let transfer = CurlTransfer(request, options: stream.options, receiver: receiver)
        if let call = start(transfer) {
            streams[id]?.call = call
        } else {
            update(id, .ended(failure: "libcurl refused the call."))
        }
    }

    /// Passes a part of the answer to the stream. Returns false if the connection must be closed.
    /// libcurl then ends the transfer, and the stream has no call, so that its end is not reported.
    private func continues(_ id: ObjectIdentifier, _ input: ChangeStreamMachine.Input) -> Bool {
        let orders = streams[id]?.stream.handle(input, at: MonotonicTime.now) ?? [.close]
        hasChangedStreams = true
        guard orders.isEmpty else {
            streams[id]?.call = nil
            return false
        }
        return true
    }

    private func closeConnection(of id: ObjectIdentifier) {
        guard let call = streams[id]?.call else { return }
        streams[id]?.call = nil
        end(call, Self.aborted)
    }

    private func end(_ id: ObjectIdentifier) {
        closeConnection(of: id)
        streams[id]?.stream.end()
        streams[id] = nil
    }

    /// Computes the time at which a stream needs the thread, if a stream has changed.
    func updateStreamDeadline() {
        guard hasChangedStreams else { return }
        hasChangedStreams = false
        streamDeadline = streams.values.compactMap(\.stream.nextDeadline).min()
    }
}
