import RefreshEngine
import RefreshProtocol

/// Reports frequent mistakes of new clients to clients that asked for diagnostics. For any other
/// client, no message is inspected. Source: docs/protocol.md, "Mistakes of a new client".
extension Conversation {
    /// In this number of milliseconds, a list that was released beyond its start has sprung back.
    private static let springBackMs = 1000.0
    /// The tolerance in points. Platforms that scroll by whole pixels rest within this distance.
    private static let restTolerance = 1.0

    // MARK: Messages

    /// Reports a message that was refused because it has no `seq`.
    @inline(never)
    mutating func reportMistake(in fault: Fault, at now: Instant) {
        guard inbound.wantsDiagnostics, phase.isOpen, fault.code == .missingField,
            fault.field == .seq
        else { return }
        let index = fault.view.flatMap { viewIndex($0) }
        reportMistake(
            .sequenceMissing, ofViewAt: index, named: fault.view, seq: nil, at: now)
    }

    /// Returns the mistakes that a message shows, before the engine of its view handles it. Samples
    /// with the phase `dragging` show none.
    mutating func mistakes(in message: ClientMessage, at now: Instant) -> [DiagnosticCode] {
        switch message {
        case .scroll(let header, let sample) where sample.phase != .dragging:
            guard let index = indexOfMovingView(header) else { return [] }
            return mistakes(in: sample, ofViewAt: index, at: now)
        case .pan(let header, let sample) where sample.phase != .dragging:
            guard let index = indexOfMovingView(header) else { return [] }
            return mistakes(in: sample, ofViewAt: index)
        case .disappear(let header):
            // A platform stops to report the movement of a list that is out of sight.
            if let index = viewIndex(header.view),
                let position = checkPosition(of: views[index].generation)
            {
                inbound.movements?[position].endMovement()
            }
            return []
        default: return []
        }
    }

    /// Reports the mistakes that `mistakes(in:at:)` has returned for the message, and records how
    /// much room is open after the message.
    mutating func finishMovement(
        of header: MessageHeader?, _ mistakes: [DiagnosticCode], at now: Instant
    ) {
        guard let header, let index = viewIndex(header.view) else { return }
        if let position = checkPosition(of: views[index].generation) {
            inbound.movements?[position].widenRoom(to: views[index].engine.insets.sentStart)
        }
        for code in mistakes {
            reportMistake(code, ofViewAt: index, named: header.view, seq: header.seq, at: now)
        }
    }

    /// Reports a missing `idle`, if the engine is about to end the movement of the list because no
    /// sample has been received for `gestureSilenceMs`.
    @inline(never)
    mutating func reportMissingIdle(ofViewAt index: Int, at now: Instant) {
        let engine = views[index].engine
        guard phase.isOpen, engine.deadlines.gesture <= now, !engine.gesture.isFingerDown,
            let position = checkPosition(of: engine.generation),
            inbound.movements?[position].awaitsIdle == true
        else { return }
        inbound.movements?[position].endMovement()
        reportMistake(
            .idleMissing, ofViewAt: index, named: views[index].id, seq: nil, at: now)
    }

    // MARK: Samples

    private mutating func mistakes(
        in sample: ScrollSample, ofViewAt index: Int, at now: Instant
    ) -> [DiagnosticCode] {
        var check = movementCheck(ofViewAt: index)
        defer { save(check) }
        let engine = views[index].engine
        let place = engine.geometry.mirrored(sample.offset)
        var found: [DiagnosticCode] = []
        switch sample.phase {
        case .began:
            if let released = check.releasedBeyondStartAt,
                now.milliseconds(since: released) >= Self.springBackMs
            {
                found = [.idleMissing]
                if isBeyondStart(place, engine, room: check.room) {
                    found.append(.springBackMissing)
                }
            }
            if check.lacksContent, lacksContent(engine) { found.append(.contentMissing) }
            // A list that rests in a room that is being closed may go on resting there.
            let room = check.room
            let isInRoom =
                isBeyondStart(place, engine, room: 0)
                && !isBeyondStart(place, engine, room: room)
            check.endMovement()
            if isInRoom { check.widenRoom(to: room) }
            check.lacksContent = lacksContent(engine)
        case .ended, .cancelled:
            guard engine.gesture.isFingerDown else { break }
            check.isReleased = true
            check.awaitsIdle = true
            if isBeyondStart(place, engine, room: 0), !engine.gesture.movesTowardsEnd,
                engine.geometry.mirrored(distance: sample.velocity) <= 0
            {
                check.releasedBeyondStartAt = now
            }
        case .decelerating:
            if !check.awaitsIdle { check.lacksContent = lacksContent(engine) }
            check.awaitsIdle = true
            check.releasedBeyondStartAt = nil
        case .idle:
            if check.isReleased, sample.cause == .finger,
                isBeyondStart(place, engine, room: check.room)
            {
                found = [.springBackMissing]
            }
            if check.lacksContent, lacksContent(engine) { found.append(.contentMissing) }
            check.endMovement()
        case .dragging: break
        }
        return found
    }

    /// The daemon moves the list of a client that sends `pan`. Such a client sends no `idle`.
    private mutating func mistakes(
        in sample: PanSample, ofViewAt index: Int
    ) -> [DiagnosticCode] {
        var check = movementCheck(ofViewAt: index)
        defer { save(check) }
        let lacksContent = lacksContent(views[index].engine)
        let hasMistake = sample.phase != .began && check.lacksContent && lacksContent
        check.endMovement()
        if sample.phase == .began { check.lacksContent = lacksContent }
        return hasMistake ? [.contentMissing] : []
    }

    /// Whether the view has items, but the client has reported no content.
    private func lacksContent(_ engine: Engine) -> Bool {
        engine.paging.itemCount > 0 && engine.geometry.contentLength == 0
    }

    /// Whether the list cannot rest at `place`, because it is beyond the start and beyond the room
    /// that is open there. `room` is the room that was open since the movement began, in points.
    private func isBeyondStart(_ place: Double, _ engine: Engine, room: Double) -> Bool {
        guard !engine.floor.ownsList else { return false }
        var room = max(room, engine.insets.sentStart)
        // Without `hold`, the platform's control holds the room. With `floating`, the share follows
        // the list.
        if let refresh = engine.options.refresh, !refresh.holdsInset || refresh.isFloating {
            room = max(room, refresh.room)
        }
        return place < engine.geometry.restingOffset - room - Self.restTolerance
    }

    // MARK: State

    /// Returns the index of the message's view. Returns nil if the message will be refused.
    private func indexOfMovingView(_ header: MessageHeader) -> Int? {
        guard phase.isOpen, header.seq > inbound.ack, let index = viewIndex(header.view),
            header.generation ?? views[index].generation == views[index].generation
        else { return nil }
        return index
    }

    private func checkPosition(of generation: UInt32) -> Int? {
        inbound.movements?.firstIndex { $0.generation == generation }
    }

    private func movementCheck(ofViewAt index: Int) -> MovementCheck {
        let generation = views[index].generation
        let known = checkPosition(of: generation).flatMap { inbound.movements?[$0] }
        return known ?? MovementCheck(generation: generation)
    }

    /// Stores the check. The checks of views that no longer exist are dropped.
    private mutating func save(_ check: MovementCheck) {
        var checks = inbound.movements ?? []
        if let position = checks.firstIndex(where: { $0.generation == check.generation }) {
            checks[position] = check
        } else {
            checks.removeAll { old in
                old.generation > 0 && !views.contains { $0.generation == old.generation }
            }
            checks.append(check)
        }
        inbound.movements = checks
    }

    /// Reports a mistake, unless it was already reported for the view.
    private mutating func reportMistake(
        _ code: DiagnosticCode, ofViewAt index: Int?, named name: ViewID?, seq: UInt64?,
        at now: Instant
    ) {
        var check =
            index.map { movementCheck(ofViewAt: $0) }
            ?? checkPosition(of: 0).flatMap { inbound.movements?[$0] }
            ?? MovementCheck(generation: 0)
        guard check.recordReport(of: code) else { return }
        save(check)
        reportDiagnostic(Diagnostic(code, seq: seq, view: name), at: now)
    }
}
