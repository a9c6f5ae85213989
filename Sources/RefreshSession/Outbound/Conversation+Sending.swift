internal import Cryptography
import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// Queues outgoing messages in order and sends them when the channel is writable.
extension Conversation {
    mutating func close(_ code: CloseCode, sending last: [UInt8]) {
        outbox.append(.passing(last))
        enter(.closing(code))
    }

    /// Whether the next frame contains a snapshot. It is `mutating` only so that the conversation
    /// is read in place.
    private var includesSnapshot: Bool {
        mutating get {
            outbox.holdsSnapshot
                || snapshotPolicy.isEnabled && outbox.messages.contains { $0.changesSnapshot }
        }
    }

    /// Whether the next frame must wait because the session has reached the maximum rate of its
    /// snapshots. Messages that are queued during the wait are sent in the same frame, with one
    /// snapshot. A frame longer than a quarter of `queueBytesMax` does not wait. The last frame
    /// before the connection closes does not wait either.
    mutating func waitsForSeal(at now: Instant) -> Bool {
        guard phase.isOpen, includesSnapshot,
            outbox.queuedBytes <= services.limits.queueBytesMax / 4
        else {
            return false
        }
        switch snapshotPolicy.budget.admitFrame(at: now) {
        case .admitted: return false
        case .alreadyDelayed: return true
        case .delayed:
            services.metrics.recordSnapshotDelayed()
            phase.timeoutCheckDue = min(phase.timeoutCheckDue, snapshotPolicy.budget.due)
            return true
        }
    }

    /// The longest time for which `attached` waits for the first items, in milliseconds.
    private static let firstItemsWaitMs = 20.0

    /// Makes the frame with `attached` wait for the look-up of the first items, so that both are
    /// sent in one frame. Source: docs/protocol.md, "First items".
    mutating func waitForFirstItems(at now: Instant) {
        guard outbox.firstItemsDue == nil else { return }
        let due = now.advanced(byMilliseconds: Self.firstItemsWaitMs)
        outbox.firstItemsDue = due
        phase.timeoutCheckDue = min(phase.timeoutCheckDue, due)
    }

    /// Whether the next frame must wait for first items. If another message is queued in the
    /// meantime, the frame is sent at once. A frame longer than a quarter of `queueBytesMax`, and
    /// the last frame before the connection closes, do not wait.
    mutating func waitsForFirstItems(at now: Instant) -> Bool {
        guard let due = outbox.firstItemsDue else { return false }
        let count = outbox.messages.count
        if phase.isOpen, now < due, count == outbox.heldCount ?? count,
            outbox.queuedBytes <= services.limits.queueBytesMax / 4,
            views.indices.contains(where: { views[$0].engine.lookUp != nil })
        {
            outbox.heldCount = count
            return true
        }
        outbox.stopHolding()
        phase.timeoutCheckDue = earliestTimeout
        return false
    }

    /// Writes all queued messages as one frame. Returns whether an update is among them.
    mutating func writeQueue(to frame: inout ByteBuffer, at now: Instant) -> Bool {
        var hasUpdate = false
        let isSealed = includesSnapshot
        if outbox.holdsSnapshot { outbox.messages.removeAll { $0.isSnapshot } }
        outbox.holdsSnapshot = false
        if isSealed {
            snapshotPolicy.due = nil
            snapshotPolicy.budget.recordSeal(at: now)
        }
        let count = outbox.messages.count + (isSealed ? 1 : 0)
        if count > 1 { frame.append(0x5B as UInt8) }
        for position in outbox.messages.indices {
            if position > 0 { frame.append(0x2C as UInt8) }
            // The message is moved out of the queue, and not copied. Nothing reads the queue until
            // it is emptied below.
            let message = exchange(&outbox.messages[position], with: .snapshot)
            switch message {
            case .update(let generation):
                hasUpdate = true
                writeUpdate(generation, to: &frame, at: now)
            case .operations(let load, let bytes, let base, let list):
                write(bytes, of: load, making: list, from: base, to: &frame)
            default: write(message, to: &frame, at: now)
            }
        }
        if isSealed {
            if !outbox.messages.isEmpty { frame.append(0x2C as UInt8) }
            frame.append(snapshotText(at: now))
        }
        if count > 1 { frame.append(0x5D as UInt8) }
        outbox.removeWritten()
        return hasUpdate
    }

    /// Returns the text of a snapshot of the current state. Call this function only after all other
    /// messages of the frame were written.
    private func snapshotText(at now: Instant) -> [UInt8] {
        let hash = SHA256.digest(of: Array((credentials.token?.text ?? "").utf8))
        let snapshot = snapshot(tokenHash: hash, wantsSnapshots: snapshotPolicy.isEnabled)
        let sealed = services.seal?.seal(snapshot, at: now)
        services.metrics.recordSnapshot(isSealed: sealed != nil)
        return ServerText.snapshot(sealed, ack: inbound.ack)
    }

    private mutating func write(
        _ message: QueuedMessage, to frame: inout ByteBuffer, at now: Instant
    ) {
        switch message {
        case .snapshot, .update, .operations: break
        case .text(let bytes), .passing(let bytes), .began(_, let bytes),
            .progress(_, _, let bytes):
            frame.append(bytes)
        case .items(let load, _, let head, let page, let deduplicated):
            // The pages of a view are queued in the order in which their loads began. The only
            // exception is a view whose loads run concurrently (`concurrent`).
            if let index = viewIndex(generation: load.generation) {
                views[index].feed?.delivered = load.number
                if let runs = runs(of: page, deduplicated, head: head, toViewAt: index) {
                    frame.append(ServerText.patchHead(of: head))
                    frame.append(runs)
                    return frame.append(0x7D as UInt8)
                }
            }
            frame.append(head)
            if let kept = deduplicated?.kept {
                Self.write(kept, of: page.items, to: &frame)
            } else {
                frame.append(page.items)
            }
            frame.append(0x7D as UInt8)
        }
    }

    /// Appends a message with operations that make `list` of the list with the digest `base`.
    private mutating func write(
        _ bytes: [UInt8], of load: LoadID, making list: HashedItems, from base: UInt64,
        to frame: inout ByteBuffer
    ) {
        guard let index = viewIndex(generation: load.generation) else {
            return frame.append(bytes)
        }
        guard let feed = views[index].feed, feed.replaceList(base, by: list) else {
            // The client would apply the operations to another list.
            views[index].feed?.forgetList()
            return frame.append(
                ServerText.loadingEnded(load, .refresh, .cancelled, view: views[index].id))
        }
        feed.delivered = load.number
        frame.append(bytes)
    }

    /// Appends an array of some items of a page. `items` contains all items of the page. `kept`
    /// contains the ranges of the bytes to append.
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

    mutating func finishClosing() {
        guard case .closing(let code) = phase.stage else { return }
        closeNow(code)
    }

    /// Closes the connection. The queue is kept for a client that may resume.
    mutating func closeNow(_ code: CloseCode) {
        let keeps = code.keepsSession && phase.hasOpened
        stopWaiting()
        phase.isEndedByClient = code == .normal
        enter(.closed(keeps: keeps))
        let channel = channel
        self.channel = AbsentChannel.shared
        observer?.recordCloseCode(code)
        // `overloaded` means that memory has run out. The output that the layers below the session
        // have queued also needs memory, so the session does not wait until it is sent.
        if code == .overloaded, phase.hasOpened {
            channel.closeImmediately(code, reason: code.reason)
        } else {
            channel.close(code, reason: code.reason)
        }
        limitQueue(keeping: keeps)
    }

    mutating func dropQueue() {
        outbox.removeAll()
        snapshotPolicy.budget.cancelWait()
        for index in views.indices { views[index].isQueued = false }
    }
}

extension CloseCode {
    /// The text of the close frame.
    fileprivate var reason: String { String(describing: self) }
}
