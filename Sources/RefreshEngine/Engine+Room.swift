import RefreshProtocol

/// The room of a shown refresh, and how the list moves when the room opens or closes.
extension Engine {
    /// Shows the indicator in its room. A list that rests at its start moves, so that the room is
    /// visible (O-IQ-18).
    mutating func revealRefresh(
        animated: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        guard let options = options.refresh else { return }
        deadlines.completionDisplay = .never
        refresh.shownAt = now
        showRefresh(cause: refresh.request.cause, into: &effects)
        let restsAtStart =
            gesture.phase == .resting && flight == nil
            && abs(offset - geometry.restingOffset) <= Self.restingTolerance
        refresh.revealedLength = options.room
        if options.holdsInset {
            insets.refresh = restsAtStart ? options.room : currentRoom(options)
            sendInsets(duration: animated ? options.insetDuration : 0, at: now, into: &effects)
            adaptMotion(at: now, into: &effects)
        }
        guard restsAtStart else { return }
        move(
            to: geometry.restingOffset - options.room,
            duration: animated ? options.offsetDuration : 0, at: now, into: &effects)
    }

    /// Closes the room of an ended refresh. A list that still rests in the room returns to its
    /// start. A list that the user has scrolled elsewhere stays there (B-KV-1).
    mutating func closeRefresh(
        result: LoadResult?, animated: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        let wasRevealed = refresh.revealedLength > 0
        refresh.revealedLength = 0
        insets.refresh = 0
        let reportsStateFirst = options.refresh?.closing == .atRelease
        if reportsStateFirst { showRefresh(result: result, into: &effects) }
        sendInsets(
            duration: animated ? options.refresh?.insetDuration ?? 0 : 0, at: now,
            into: &effects)
        adaptMotion(at: now, into: &effects)
        if wasRevealed || isAtCommandedTarget {
            returnToStart(animated: animated, at: now, into: &effects)
        }
        scheduleCompletionDisplay(animated: animated, at: now)
        if !reportsStateFirst { showRefresh(result: result, into: &effects) }
    }

    private mutating func returnToStart(
        animated: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        // A list in flight returns to its range without a command. A list that belongs to the floor
        // is moved by the floor.
        guard flight == nil, !floor.ownsList else { return }
        // The list returns only if the user does not control it. The user does not control a list
        // that rests, that the program moves, or that the last command has brought to its place.
        guard !gesture.isFingerDown,
            gesture.phase == .resting || gesture.cause == .code || isAtCommandedTarget,
            offset < geometry.restingOffset - Self.restingTolerance
        else { return }
        move(
            to: geometry.restingOffset,
            duration: animated ? options.refresh?.offsetDuration ?? 0 : 0, at: now,
            into: &effects)
    }

    /// Whether the last command has brought the list to its current place, and nothing has moved it
    /// since.
    var isAtCommandedTarget: Bool {
        if case .gliding(let glide) = motion { glide.target == offset } else { false }
    }

    /// The part of the room that is visible at the list's current place. A room of this length
    /// keeps sticky headers at the edge.
    private var floatingRoom: Double {
        min(max(geometry.restingOffset - offset, 0), refresh.revealedLength)
    }

    /// The room of the indicator at the list's current place, in points.
    private func currentRoom(_ options: RefreshOptions) -> Double {
        if options.isFloating { return floatingRoom }
        guard let zone = options.roomZone else { return refresh.revealedLength }
        let isNear = !gesture.isFingerDown && offset <= geometry.restingOffset + zone
        return insets.refresh > 0 || isNear ? refresh.revealedLength : 0
    }

    /// Adapts the room after the list has moved while a refresh is shown.
    @inline(__always)
    mutating func updateRoom(at now: Instant, into effects: inout [Effect]) {
        guard let options = options.refresh else { return }
        if options.isFloating {
            updateFloatingRoom()
            sendInsets(duration: 0, at: now, into: &effects)
        } else if options.roomZone != nil {
            openRoomIfNear()
            sendInsets(at: now, into: &effects)
        }
    }

    /// Opens the room of an edge with a `roomZone` if the list is near its start and no finger
    /// holds it.
    mutating func openRoomIfNear() {
        guard let options = options.refresh, options.roomZone != nil, options.holdsInset,
            refresh.phase.isShown
        else { return }
        insets.refresh = currentRoom(options)
    }

    /// Keeps the room open at its current length. From then on, it does not follow the list.
    mutating func holdRoomOpen(at now: Instant, into effects: inout [Effect]) {
        guard let options = options.refresh, options.holdsInset, refresh.phase.isShown else {
            return
        }
        insets.refresh = currentRoom(options)
        sendInsets(at: now, into: &effects)
    }

    mutating func updateFloatingRoom() {
        guard let options = options.refresh, options.isFloating, options.holdsInset,
            refresh.phase.isShown
        else { return }
        insets.refresh = floatingRoom
    }

    /// Sends a command that moves the list to `place`, and assumes that the list reaches this
    /// place.
    mutating func move(
        to place: Double, duration: UInt32, at now: Instant, into effects: inout [Effect]
    ) {
        let timeline = Timeline(start: now, duration: Double(duration), curve: .easeInOut)
        if !gesture.isFingerDown {
            let glide = Glide(
                origin: self.currentOffset(at: now), target: place, timeline: timeline)
            clearMotion()
            motion = .gliding(glide)
        }
        offset = place
        effects.append(
            .moveContent(
                OffsetCommand(target: geometry.mirrored(place), timeline: timeline)))
    }

    /// Sends the desired insets. While a finger is down, they are withheld until the release.
    mutating func sendInsets(
        duration: UInt32? = nil, at now: Instant, into effects: inout [Effect]
    ) {
        guard !gesture.isFingerDown, !insets.isFullySent else { return }
        let usual = options.refresh?.insetDuration ?? options.loadMore?.insetDuration ?? 0
        if let command = insets.issueCommand(start: now, duration: Double(duration ?? usual)) {
            effects.append(.setInset(command))
            if motion != nil { adaptMotion(at: now, into: &effects) }
        }
    }

    /// Withdraws inset commands that could not be sent before a finger came down. The client still
    /// has the shares `start` and `end`. When the finger is released, the shares that are desired
    /// at that time are sent.
    package mutating func withdrawInsets(clientHasStart start: Double, end: Double) {
        insets.withdraw(clientHasStart: start, end: end)
        if case .held(_, let travel) = motion { updateDragAnchor(travel: travel) }
    }
}
