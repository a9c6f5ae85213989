internal import Cryptography
import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// Queues outgoing messages in order and sends them when the channel is writable.
extension Conversation {
    /// Queues the view's update, unless it is queued already.
    @inline(__always)
    mutating func queueUpdate(ofViewAt index: Int) {
        guard views[index].wantsPlace() else { return giveUpPlace(ofViewAt: index) }
        views[index].isQueued = true
        let generation = views[index].engine.generation
        if queue.isEmpty, loneUpdate == nil {
            loneUpdate = generation
        } else {
            enqueue(.update(generation: generation))
        }
    }

    /// Removes the view's update from the queue if it has become empty: changes may have been
    /// withdrawn, or may have returned to what the client knows.
    @inline(__always)
    private mutating func giveUpPlace(ofViewAt index: Int) {
        guard views[index].isQueued, views[index].hasNothingToTell() else { return }
        views[index].isQueued = false
        let generation = views[index].engine.generation
        if loneUpdate == generation { loneUpdate = nil }
        queue.removeAll { $0.isUpdate && $0.isAbout(generation) }
    }

    mutating func enqueue(_ message: QueuedMessage) {
        if let first = loneUpdate {
            loneUpdate = nil
            queue.append(.update(generation: first))
        }
        queue.append(message)
        queuedBytes += message.byteCount
    }

    /// Queues a sealed snapshot, at most once. It is sent as the last message of the next frame.
    mutating func enqueueSnapshot() {
        guard !isSnapshotQueued else { return }
        isSnapshotQueued = true
        enqueue(.snapshot)
    }

    /// Queues a load's progress message. It replaces an earlier one of the load that is not sent
    /// yet.
    mutating func enqueueProgress(_ text: [UInt8], of load: LoadID) {
        let message = QueuedMessage.progress(generation: load.generation, load, text)
        guard let index = queue.firstIndex(where: { $0.isProgress(of: load) }) else {
            return enqueue(message)
        }
        queuedBytes += message.byteCount - queue[index].byteCount
        queue[index] = message
    }

    /// Drops the queued progress message of a load that has ended.
    mutating func dropProgress(of load: LoadID) {
        guard let index = queue.firstIndex(where: { $0.isProgress(of: load) }) else { return }
        queuedBytes -= queue[index].byteCount
        queue.remove(at: index)
    }

    /// Replaces the queued pages of a view after a reset. Each becomes the message that its load
    /// was cancelled, as for the loads that the reset cancelled. Pages queued before a reset are
    /// never delivered.
    mutating func endLoadsOfWaitingPages(ofViewAt index: Int) {
        let (generation, view) = (views[index].generation, views[index].id)
        for position in queue.indices {
            guard case .items(let load, let kind, _, _, _) = queue[position],
                load.generation == generation
            else { continue }
            queuedBytes -= queue[position].byteCount
            queue[position] = .text(ServerText.loadingEnded(load, kind, .cancelled, view: view))
            queuedBytes += queue[position].byteCount
        }
    }

    mutating func close(_ code: CloseCode, saying last: [UInt8]) {
        enqueue(.passing(last))
        stage = .closing(code)
    }

    /// Sends all queued messages as one frame, or waits for the channel. Returns whether an update
    /// was sent.
    @inline(__always)
    @discardableResult
    mutating func flush(at desk: inout FrameScratch, _ now: Instant) -> Bool {
        guard loneUpdate != nil || !queue.isEmpty else {
            if waitsSince != nil { noteWait(at: now) }
            finishClosing()
            return false
        }
        guard channel.isWritable else {
            waitForChannel(at: now)
            return false
        }
        if waitsSince != nil { noteWait(at: now) }
        desk.frame.removeAll()
        let hasUpdate: Bool
        if let generation = loneUpdate {
            loneUpdate = nil
            hasUpdate = true
            writeAnyUpdate(generation, to: &desk.frame, at: now)
        } else {
            if waitsForSeal(at: now) { return false }
            hasUpdate = queue.contains { $0.isUpdate }
            writeQueue(to: &desk.frame, at: now)
        }
        services.metrics.sent(bytes: desk.frame.count)
        if !channel.sendsWhole(&desk.frame) { waitForRest(of: desk.frame.count, at: now) }
        finishClosing()
        return hasUpdate
    }

    /// Ends the wait for the client, if everything was sent.
    @inline(never)
    private mutating func noteWait(at now: Instant) {
        guard let since = waitsSince, channel.isWritable else { return }
        services.metrics.queueAge(microseconds: now.microseconds - since.microseconds)
        // What the client sent meanwhile is read only from now on.
        if isHeldBack { heardAt = now }
        channelTakesFrames()
    }

    /// Begins to wait for the rest of a frame of `bytes` bytes that the channel has sent only in
    /// part. That wait counts like a wait in the queue.
    @inline(never)
    private mutating func waitForRest(of bytes: Int, at now: Instant) {
        switch stage {
        case .silent, .greeting, .open: break
        case .closing, .closed, .detached: return
        }
        halfSentBytes = bytes
        services.growth?(bytes, key, now)
        beginWaiting(at: now)
        channel.requestWritable()
    }

    private mutating func beginWaiting(at now: Instant) {
        guard waitsSince == nil else { return }
        waitsSince = now
        let due = now.advanced(byMilliseconds: Double(services.limits.queueAgeMs))
        patienceEnds = min(patienceEnds, due)
    }

    /// Whether the next frame contains a snapshot.
    private var takesSnapshot: Bool {
        isSnapshotQueued || wantsSnapshots && queue.contains { $0.changesSnapshot }
    }

    /// Whether the next frame has to wait because the session was sealed too often. Messages that
    /// are queued meanwhile go out in the same frame, under one seal. A frame that has become long
    /// is sent at once, and so is the last one.
    private mutating func waitsForSeal(at now: Instant) -> Bool {
        guard isOpen, takesSnapshot, queuedBytes <= services.limits.queueBytesMax / 4 else {
            return false
        }
        switch sealBudget.frame(at: now) {
        case .goes: return false
        case .waitsAlready: return true
        case .waits:
            services.metrics.snapshotWaits()
            patienceEnds = min(patienceEnds, sealBudget.due)
            return true
        }
    }

    private mutating func writeQueue(to frame: inout ByteBuffer, at now: Instant) {
        let isSealed = takesSnapshot
        if isSnapshotQueued { queue.removeAll { $0.isSnapshot } }
        isSnapshotQueued = false
        if isSealed {
            snapshotDue = nil
            sealBudget.sealed(at: now)
        }
        let count = queue.count + (isSealed ? 1 : 0)
        if count > 1 { frame.append(0x5B as UInt8) }
        for position in queue.indices {
            if position > 0 { frame.append(0x2C as UInt8) }
            write(queue[position], to: &frame, at: now)
        }
        if isSealed {
            if !queue.isEmpty { frame.append(0x2C as UInt8) }
            frame.append(snapshotText(at: now))
        }
        if count > 1 { frame.append(0x5D as UInt8) }
        queue.removeAll(keepingCapacity: queue.capacity <= 8)
        queuedBytes = 0
    }

    /// The text of a snapshot of the current state, now that no message is left to be sent.
    private func snapshotText(at now: Instant) -> [UInt8] {
        let hash = SHA256.digest(of: Array((token?.text ?? "").utf8))
        let snapshot = snapshot(tokenHash: hash, wantsSnapshots: wantsSnapshots)
        let sealed = services.seal?.seal(snapshot, at: now)
        services.metrics.snapshotTold(isSealed: sealed != nil)
        return ServerText.snapshot(sealed, ack: ack)
    }

    private mutating func write(
        _ message: QueuedMessage, to frame: inout ByteBuffer, at now: Instant
    ) {
        switch message {
        case .snapshot: break
        case .update(let generation): writeAnyUpdate(generation, to: &frame, at: now)
        case .text(let bytes), .passing(let bytes), .began(_, let bytes),
            .progress(_, _, let bytes):
            frame.append(bytes)
        case .items(let load, _, let head, let page, let cut):
            // The pages of a view are queued in the order in which their loads began, except those
            // of `concurrent` loads.
            if let index = viewIndex(generation: load.generation) {
                views[index].feed?.delivered = load.number
            }
            frame.append(head)
            if let kept = cut?.kept {
                Self.write(kept, of: page.items, to: &frame)
            } else {
                frame.append(page.items)
            }
            frame.append(0x7D as UInt8)
        }
    }

    /// Appends an array of the items in the ranges `kept`, directly from the page.
    private static func write(
        _ kept: [Range<Int>], of items: [UInt8], to frame: inout ByteBuffer
    ) {
        frame.append(0x5B as UInt8)
        unsafe items.withUnsafeBufferPointer { bytes in
            for (index, range) in kept.enumerated() {
                if index > 0 { frame.append(0x2C as UInt8) }
                unsafe frame.append(UnsafeBufferPointer(rebasing: bytes[range]))
            }
        }
        frame.append(0x5D as UInt8)
    }

    @inline(__always)
    private mutating func writeAnyUpdate(
        _ generation: UInt32, to frame: inout ByteBuffer, at now: Instant
    ) {
        guard hasLooks else { return writeUpdate(generation, to: &frame) }
        guard let index = viewIndex(generation: generation) else { return }
        let before = frame.count
        if views[index].writeLookUpdate(ack: ack, to: &frame) {
            notePlayed(bytes: frame.count - before, at: now)
        }
    }

    /// Writes the update of a `plain` client's view.
    @inline(__always)
    private mutating func writeUpdate(_ generation: UInt32, to frame: inout ByteBuffer) {
        guard let index = viewIndex(generation: generation) else { return }
        views[index].writeUpdate(ack: ack, to: &frame)
    }

    /// Handles a client that reads too slowly: waits, and stops reading from it, because its
    /// messages cause more output. If too much is queued already, closes the connection.
    private mutating func waitForChannel(at now: Instant) {
        switch stage {
        case .silent, .greeting, .open:
            guard queuedBytes <= queueRoom else { return giveUpSlowClient() }
            beginWaiting(at: now)
            if !isHeldBack, queuedBytes > services.limits.queueBytesMax / 4 {
                isHeldBack = true
                services.metrics.heldBack()
                channel.holdBack(true)
            }
            channel.requestWritable()
        // A client that does not read is closed without waiting until the error message can be
        // sent.
        case .closing(let code): closeNow(code)
        case .closed(let keeps): keepQueue(while: keeps)
        case .detached: keepQueue(while: true)
        }
    }

    /// The number of bytes that may be queued. The frame that was sent in part counts in full.
    /// However long it is, a quarter of the limit remains for the queue. So the longest page that a
    /// backend may answer with can reach a client on a slow line.
    private var queueRoom: Int {
        let most = services.limits.queueBytesMax
        return max(most - halfSentBytes, most / 4)
    }

    /// Ends all waiting for the client: it reads again, or its connection is gone.
    mutating func channelTakesFrames() {
        waitsSince = nil
        halfSentBytes = 0
        guard isHeldBack else { return }
        isHeldBack = false
        services.metrics.letGo()
        channel.holdBack(false)
    }

    mutating func giveUpSlowClient() {
        services.metrics.fault(.slowClient)
        closeNow(.slow)
    }

    private mutating func finishClosing() {
        guard case .closing(let code) = stage else { return }
        closeNow(code)
    }

    /// Closes the connection. The queue is kept for a client that may resume.
    private mutating func closeNow(_ code: CloseCode) {
        let keeps = code.keepsSession && hasOpened
        channelTakesFrames()
        stage = .closed(keeps: keeps)
        let channel = channel
        self.channel = AbsentChannel.shared
        observer?.closes(with: code)
        // What waits in the layers below takes memory too, and there is none left.
        if code == .overloaded, hasOpened {
            channel.shut(code, reason: code.reason)
        } else {
            channel.close(code, reason: code.reason)
        }
        keepQueue(while: keeps)
    }

    /// Keeps the queue of a disconnected client within the usual limit. Beyond the limit the queue
    /// is dropped, and the session cannot be resumed.
    mutating func keepQueue(while keeps: Bool) {
        if keeps, queuedBytes > services.limits.queueBytesMax { isLost = true }
        if isLost || !keeps { dropQueue() }
    }

    mutating func dropQueue() {
        loneUpdate = nil
        queue.removeAll()
        queuedBytes = 0
        isSnapshotQueued = false
        sealBudget.forget()
        for index in views.indices { views[index].isQueued = false }
    }
}

extension CloseCode {
    /// The text of the close frame.
    fileprivate var reason: String { String(describing: self) }
}
