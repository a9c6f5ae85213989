import RefreshBroker
import RefreshEngine
import RefreshIndicator
import RefreshProtocol

/// The steps in which a session handles a frame, in order:
///
/// 1. `receive` decodes the messages of a frame;
/// 2. `handleScroll` handles a `scroll` message, and `receive(_:in:)` any other message;
/// 3. `resolveView` finds the view of the message;
/// 4. `applyEvent` passes the event to the view's engine and carries out the engine's effects;
/// 5. `enqueueUpdate` queues the view's update;
/// 6. `flush` writes the queue to a frame and sends it.
///
/// After step 2, a message that is not frequent is handled by `handle(_:at:)` in
/// `Conversation+Messages`. If the message contains an event for a view, its handling continues
/// with step 3.
extension Conversation {
    // MARK: 1. Frame

    /// Handles a frame and answers it. Returns whether an update was sent.
    @inline(__always)
    mutating func receive(
        _ frame: Span<UInt8>, using scratch: inout FrameScratch, at now: Instant
    ) -> Bool {
        services.metrics.recordReceived(bytes: frame.count)
        inbound.lastReceivedAt = now
        if let excess = inbound.count(bytes: frame.count, at: now) {
            report(Fault(excess), at: now)
        }
        scratch.decoder.features = inbound.features
        defer { scratch.decoder.features = nil }
        var position = FramePosition()
        /// If the previous message of the frame was a sample, the index of its view; -1 if it was
        /// not.
        var sampled = -1
        frame: while true {
            // The first held frame is always the rest of the frame of `hello`. If `hello` is the
            // last message of its frame, this code holds an empty rest.
            guard phase.isListening else {
                holdOrDrop(frame, from: position, using: &scratch, at: now)
                break
            }
            switch scratch.decoder.next(in: frame, at: &position) {
            case .end: break frame
            // A `where` clause here would make the compiler keep the whole message and destructure
            // it again.
            case .message(.scroll(let header, let sample)):
                if let index = handleScroll(
                    header, sample, after: sampled, in: frame, using: &scratch, at: now)
                {
                    sampled = index
                }
            case .message(let message):
                if credentials.previousResumeToken != nil { voidPreviousResumeToken(at: now) }
                let view = indexOfSampledView(in: message)
                if view >= 0, view == sampled { services.metrics.recordCoalescedSample() }
                sampled = view
                receive(message, in: frame, using: &scratch, at: now)
                // The messages behind a `hello` are read with its features.
                scratch.decoder.features = inbound.features
                // A `hello` that waits for a decision is recorded with the rest of its frame, even
                // if the rest is empty.
                if position.isAtEnd, phase.isGreeting {
                    holdOrDrop(frame, from: position, using: &scratch, at: now)
                }
            case .fault(let fault):
                report(fault, at: now)
                reportMistake(in: fault, at: now)
            }
            guard phase.isListening else { continue }
            if position.isAtEnd { break }
            countFurtherMessage(at: now)
        }
        return flush(using: &scratch, at: now)
    }

    /// Counts a further message of a frame as a frame without bytes. Returns false if the message
    /// exceeds the limit. It is a separate function, so that it does not slow down frames with one
    /// message.
    @inline(never)
    @discardableResult
    mutating func countFurtherMessage(at now: Instant) -> Bool {
        guard let excess = inbound.count(bytes: 0, at: now) else { return true }
        report(Fault(excess), at: now)
        return false
    }

    // MARK: 2. Message

    /// Handles a `scroll` message, by far the most frequent kind. Returns the index of its view.
    /// Returns nil if the message was rejected.
    @inline(__always)
    private mutating func handleScroll(
        _ header: MessageHeader, _ sample: ScrollSample, after sampled: Int, in frame: Span<UInt8>,
        using scratch: inout FrameScratch, at now: Instant
    ) -> Int? {
        guard
            renderMode.isFast
                || renderMode.playsIndicators && observer == nil && !inbound.wantsDiagnostics
        else {
            let message = ClientMessage.scroll(header, sample)
            if credentials.previousResumeToken != nil { voidPreviousResumeToken(at: now) }
            let view = indexOfSampledView(in: message)
            if view >= 0, view == sampled { services.metrics.recordCoalescedSample() }
            receive(message, in: frame, using: &scratch, at: now)
            return view
        }
        if !renderMode.isFast, credentials.previousResumeToken != nil {
            voidPreviousResumeToken(at: now)
        }
        guard let index = resolveView(of: header, at: now) else { return nil }
        if index == sampled { services.metrics.recordCoalescedSample() }
        if renderMode.isFast {
            applyEventWithoutPresentation(
                .scrolled(sample), toViewAt: index, because: .client(seq: header.seq), at: now)
        } else {
            applyEvent(
                .scrolled(sample), toViewAt: index, because: .client(seq: header.seq), at: now)
        }
        return index
    }

    /// Handles a message of a frame for which the fast path of `handleScroll` is not used.
    @inline(__always)
    mutating func receive(
        _ message: ClientMessage, in frame: Span<UInt8>, using scratch: inout FrameScratch,
        at now: Instant
    ) {
        if case .withRows(let message, let rows) = message {
            return receive(message, reporting: rows, in: frame, using: &scratch, at: now)
        }
        if observer != nil { reportReceived(message) }
        if scratch.decoder.hasIgnored { recordIgnoredInput(using: &scratch) }
        handleReceived(message, in: frame, using: &scratch, at: now)
    }

    @inline(__always)
    mutating func handleReceived(
        _ message: ClientMessage, in frame: Span<UInt8>, using scratch: inout FrameScratch,
        at now: Instant
    ) {
        guard phase.isOpen, !inbound.wantsDiagnostics else {
            return handleWithDiagnostics(message, in: frame, using: &scratch, at: now)
        }
        guard renderMode.settings.mode == .local, let hint = scratch.decoder.hint(in: frame) else {
            return handle(message, at: now)
        }
        handle(message, with: hint, at: now)
    }

    // MARK: 3. View

    /// Returns the index of the message's view. If the message is invalid, reports the fault and
    /// returns nil.
    @inline(__always)
    mutating func resolveView(of header: MessageHeader, at now: Instant) -> Int? {
        guard acceptSequenceNumber(of: header, at: now) else { return nil }
        guard let index = viewIndex(header.view) else {
            report(
                Fault(.unknownView, field: .view, seq: header.seq, view: header.view), at: now)
            return nil
        }
        if let generation = header.generation, generation != views[index].generation {
            report(
                Fault(
                    .staleGeneration, field: .generation, seq: header.seq, view: header.view),
                at: now)
            return nil
        }
        return index
    }

    /// Applies the message's sequence number. If the number is not new, reports the fault and
    /// returns false.
    @inline(__always)
    mutating func acceptSequenceNumber(of header: MessageHeader, at now: Instant) -> Bool {
        guard inbound.advance(to: header.seq) else {
            report(
                Fault(.staleSequence, field: .seq, seq: header.seq, view: header.view), at: now)
            return false
        }
        return true
    }

    // MARK: 4. Event and effects

    /// Passes the event to the view's engine and carries out the engine's effects, for any kind of
    /// client.
    @inline(never)
    mutating func applyEvent(
        _ event: Event, toViewAt index: Int, because source: EventSource, at now: Instant
    ) {
        let wasQueued = views[index].isQueued
        applyEventWithoutPresentation(event, toViewAt: index, because: source, at: now)
        guard renderMode.hasPresentations else { return }
        let hasUnsentChanges = views[index].updatePresentation(after: event, at: now)
        enqueueUpdate(ofViewAt: index)
        // If an effect is sent with the update, `applyEventWithoutPresentation` has already counted
        // the merged update.
        if hasUnsentChanges, wasQueued, !effects.contains(where: \.isShown) {
            services.metrics.recordCoalescedUpdate()
        }
    }

    /// Passes the event to the view's engine and carries out the engine's effects, but does not
    /// update the view's `ViewPresentation`. Views of `plain` clients have no `ViewPresentation`.
    @inline(__always)
    mutating func applyEventWithoutPresentation(
        _ event: Event, toViewAt index: Int, because source: EventSource, at now: Instant
    ) {
        while !effects.isEmpty { effects.removeLast() }
        let wasQueued = views[index].isQueued
        if views[index].hasCommands() {
            handleWithPendingCommands(event, ofViewAt: index, at: now)
        } else {
            views[index].engine.handle(event, at: now, into: &effects)
        }
        for position in effects.indices {
            switch effects[position] {
            case .showEdge(let role, let state, let progress, let cause, let result):
                let isOther = views[index].recordEdge(
                    role, state, progress: progress, cause: cause, result: result, at: now)
                if isOther { recordTransition(to: state, at: role, ofViewAt: index, cause: cause) }
            case .showFloor(let state, let progress):
                views[index].update.setFloor(state, progress: progress)
            case .showList(let count, let hasMore):
                showList(count: count, hasMore: hasMore, ofViewAt: index)
            case .showNewer(let hasNewer): views[index].update.setNewer(hasNewer)
            case .showNewerCount, .showAway, .showRevealed:
                showUnread(effects[position], ofViewAt: index)
            case .showOperations(let releases):
                showOperations(releases: releases, ofViewAt: index, at: now)
            case .repeatLoad(let order): repeatLoad(order, forViewAt: index, at: now)
            case .announce(let cue): views[index].update.append(cue)
            case .play(let haptic): views[index].update.append(haptic)
            case .setInset(let command): views[index].update.merge(command)
            case .moveContent(let command): views[index].update.offset = command
            case .startLoad(let order): startLoad(order, forViewAt: index, at: now)
            case .endLoad(let load, let kind, let result):
                endLoad(load, kind, result, ofViewAt: index, because: source, at: now)
            case .endPage(let load, let page, let result):
                endPage(load, page: page, result, ofViewAt: index, because: source, at: now)
            case .reportLateAnswer: reportLateAnswer(ofViewAt: index, because: source, at: now)
            case .reportStall: recordStall(ofViewAt: index, at: now)
            case .joinRefresh(let load):
                reportJoin(of: load, ofViewAt: index, because: source)
            case .refuse(let code):
                report(Fault(code, seq: source.seq, view: views[index].id), at: now)
            case .ignore(let code):
                reportDiagnostic(Diagnostic(code, seq: source.seq, view: views[index].id), at: now)
            }
        }
        enqueueUpdate(ofViewAt: index)
        if wasQueued { recordCoalescedUpdate(ofViewAt: index) }
    }

    /// Handles an event while commands wait to be sent. If the event reports that a finger has come
    /// down on the list, the commands are withdrawn. If the daemon takes the offset of the list
    /// from the event, a waiting `offset` is withdrawn. The `ack` of the next update includes the
    /// event, so the client could not recognize the `offset` as outdated. Source:
    /// docs/protocol.md, "Commands and timelines".
    private mutating func handleWithPendingCommands(
        _ event: Event, ofViewAt index: Int, at now: Instant
    ) {
        let wasFingerDown = views[index].engine.gesture.isFingerDown
        views[index].engine.handle(event, at: now, into: &effects)
        if !wasFingerDown, views[index].engine.gesture.isFingerDown {
            views[index].withdrawCommands()
        } else if inbound.features != nil, Self.movesList(event) {
            views[index].update.removeOffset()
        }
    }

    /// Whether the event reports a new offset of the list that no command and no finger has caused.
    private static func movesList(_ event: Event) -> Bool {
        switch event {
        case .scrolled(let sample): sample.cause != .finger
        case .geometryChanged(let change): change.offset != nil && change.anchor == nil
        default: false
        }
    }

    // MARK: 5. Queue

    /// Queues the view's update if it is not queued yet.
    @inline(__always)
    mutating func enqueueUpdate(ofViewAt index: Int) {
        guard views[index].needsEnqueueing() else { return dequeueEmptyUpdate(ofViewAt: index) }
        views[index].isQueued = true
        outbox.appendUpdate(of: views[index].engine.generation)
    }

    /// Removes the view's update from the queue if the update has become empty. An update becomes
    /// empty when its changes are withdrawn, or when the view has returned to the state that was
    /// last sent.
    @inline(__always)
    private mutating func dequeueEmptyUpdate(ofViewAt index: Int) {
        guard views[index].isQueued, views[index].isUpdateEmpty() else { return }
        views[index].isQueued = false
        outbox.removeUpdate(of: views[index].engine.generation)
    }

    // MARK: 6. Frame out

    /// Sends all queued messages as one frame, or waits for the channel. Returns whether an update
    /// was sent.
    @inline(__always)
    @discardableResult
    mutating func flush(using scratch: inout FrameScratch, at now: Instant) -> Bool {
        guard !outbox.isEmpty else {
            if outbox.waitsSince != nil { stopWaitingIfWritable(at: now) }
            finishClosing()
            return false
        }
        guard channel.isWritable else {
            waitForSlowClient(at: now)
            return false
        }
        if outbox.waitsSince != nil { stopWaitingIfWritable(at: now) }
        scratch.frame.removeAll()
        let hasUpdate: Bool
        if let generation = outbox.loneUpdate {
            outbox.loneUpdate = nil
            hasUpdate = true
            writeUpdate(generation, to: &scratch.frame, at: now)
        } else {
            if waitsForFirstItems(at: now) || waitsForSeal(at: now) { return false }
            hasUpdate = writeQueue(to: &scratch.frame, at: now)
        }
        services.metrics.recordSent(bytes: scratch.frame.count)
        if !channel.sendReportingCompletion(&scratch.frame) {
            waitForRest(of: scratch.frame.count, at: now)
        }
        finishClosing()
        return hasUpdate
    }

    @inline(__always)
    mutating func writeUpdate(
        _ generation: UInt32, to frame: inout ByteBuffer, at now: Instant
    ) {
        guard renderMode.hasPresentations else { return writePlainUpdate(generation, to: &frame) }
        guard let index = viewIndex(generation: generation) else { return }
        let before = frame.count
        if views[index].writePresentationUpdate(ack: inbound.ack, to: &frame) {
            chargePlayedFrames(bytes: frame.count - before, at: now)
        }
    }

    /// Writes the update of a `plain` client's view.
    @inline(__always)
    private mutating func writePlainUpdate(_ generation: UInt32, to frame: inout ByteBuffer) {
        guard let index = viewIndex(generation: generation) else { return }
        views[index].writeUpdate(ack: inbound.ack, to: &frame)
    }
}
