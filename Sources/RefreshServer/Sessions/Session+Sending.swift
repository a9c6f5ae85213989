import RefreshBroker
import RefreshProtocol

/// What a session has to say: queued in order, sent when the channel takes it.
extension Session {
    /// Gives the view's update its place in the queue.
    @inline(__always)
    func queueUpdate(ofViewAt index: Int) {
        guard !views[index].isQueued, !views[index].update.isEmpty else { return }
        views[index].isQueued = true
        queue.append(.update(generation: views[index].generation))
    }

    func enqueue(_ message: QueuedMessage) {
        queue.append(message)
        queuedBytes += message.byteCount
    }

    /// Tells the client of its fault; closes if the fault does, or if there were too many.
    func report(_ fault: Fault, at now: Instant) {
        guard isListening else { return }
        services.metrics.fault(fault.code)
        enqueue(.text(ServerText.error(fault)))
        if let code = fault.code.closeCode {
            stage = .closing(code)
        } else if !budget.spend(at: now) {
            services.metrics.fault(.tooManyFaults)
            enqueue(.text(ServerText.error(Fault(.tooManyFaults))))
            stage = .closing(.tooManyFaults)
        }
    }

    func close(_ code: CloseCode, saying last: [UInt8]) {
        enqueue(.text(last))
        stage = .closing(code)
    }

    /// Sends all that is queued as one frame, or waits for the channel.
    @inline(__always)
    func flush() {
        guard !queue.isEmpty else { return finishClosing() }
        guard channel.isWritable else { return waitForChannel() }
        services.frame.removeAll()
        if queue.count > 1 { services.frame.append(0x5B as UInt8) }
        for position in queue.indices {
            if position > 0 { services.frame.append(0x2C as UInt8) }
            write(queue[position])
        }
        if queue.count > 1 { services.frame.append(0x5D as UInt8) }
        queue.removeAll(keepingCapacity: queue.capacity <= 8)
        queuedBytes = 0
        services.metrics.sent(bytes: services.frame.count)
        channel.send(&services.frame)
        finishClosing()
    }

    @inline(__always)
    private func write(_ message: QueuedMessage) {
        switch message {
        case .update(let generation):
            guard let index = viewIndex(generation: generation) else { return }
            writeUpdate(ofViewAt: index)
        case .text(let bytes): services.frame.append(bytes)
        case .items(_, let head, let page):
            services.frame.append(head)
            services.frame.append(page.items)
            services.frame.append(0x7D as UInt8)
        }
    }

    @inline(__always)
    private func writeUpdate(ofViewAt index: Int) {
        UpdateEncoder.write(
            views[index].update, view: views[index].id, ack: ack,
            known: (views[index].top.indicator, views[index].bottom.indicator),
            to: &services.frame)
        if let told = views[index].update.top.indicator { views[index].top.indicator = told }
        if let told = views[index].update.bottom.indicator {
            views[index].bottom.indicator = told
        }
        views[index].update = ViewUpdate()
        views[index].isQueued = false
    }

    /// The client reads too slowly: wait, or, if too much waits already, give it up.
    private func waitForChannel() {
        if queuedBytes > services.limits.queueBytesMax, case .open = stage {
            services.metrics.fault(.slowClient)
            queue.removeAll()
            queuedBytes = 0
            stage = .closed
            return channel.close(.slow, reason: FaultCode.slowClient.rawValue)
        }
        channel.requestWritable()
    }

    private func finishClosing() {
        guard case .closing(let code) = stage else { return }
        stage = .closed
        channel.close(code, reason: code.reason)
    }
}

extension CloseCode {
    /// The text of the close frame.
    fileprivate var reason: String { String(describing: self) }
}
