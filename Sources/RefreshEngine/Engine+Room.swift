import RefreshProtocol

/// The room that a shown refresh has, and where the list goes for it.
extension Engine {
    /// The indicator turns, in its room; a list that rests at its start moves to show it
    /// (rule 11; O-IQ-18).
    mutating func revealRefresh(
        animated: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        guard let options = options.refresh else { return }
        deadlines.aftermath = .never
        shownAt = now
        showRefresh(cause: refreshCause, into: &effects)
        let restsAtStart =
            gesture.phase == .resting && flight == nil
            && abs(offset - geometry.restingOffset) <= Self.restingTolerance
        revealedLength = options.room
        if options.holdsInset {
            insets.refresh = restsAtStart ? options.room : room(options)
            tellInsets(duration: animated ? options.insetDuration : 0, at: now, into: &effects)
            adaptMotion(at: now, into: &effects)
        }
        guard restsAtStart else { return }
        move(
            to: geometry.restingOffset - options.room,
            duration: animated ? options.offsetDuration : 0, at: now, into: &effects)
    }

    /// It is over: the room closes, and a list that still rests in it goes back to its start; one
    /// that the user has scrolled elsewhere stays (KV-1).
    mutating func closeRefresh(
        result: LoadResult?, animated: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        let wasRevealed = revealedLength > 0
        revealedLength = 0
        insets.refresh = 0
        let isToldFirst = options.refresh?.closing == .atRelease
        if isToldFirst { showRefresh(result: result, into: &effects) }
        tellInsets(
            duration: animated ? options.refresh?.insetDuration ?? 0 : 0, at: now,
            into: &effects)
        adaptMotion(at: now, into: &effects)
        if wasRevealed || isWhereItWasSent {
            returnToStart(animated: animated, at: now, into: &effects)
        }
        scheduleAftermath(animated: animated, at: now)
        if !isToldFirst { showRefresh(result: result, into: &effects) }
    }

    private mutating func returnToStart(
        animated: Bool, at now: Instant, into effects: inout [Effect]
    ) {
        // A list in flight goes to where it may be anyway, and one behind a floor where that sends
        // it.
        guard flight == nil, !floor.hasTheList else { return }
        // A list that the program moves is on its way to the revealed place, not in the user's
        // hand; nor is one that was sent there last, whatever moved it before.
        guard !gesture.isFingerDown,
            gesture.phase == .resting || gesture.cause == .code || isWhereItWasSent,
            offset < geometry.restingOffset - Self.restingTolerance
        else { return }
        move(
            to: geometry.restingOffset,
            duration: animated ? options.refresh?.offsetDuration ?? 0 : 0, at: now,
            into: &effects)
    }

    /// Whether a command that nothing has moved it from since has brought the list where it is.
    var isWhereItWasSent: Bool {
        if case .gliding(let glide) = motion { glide.target == offset } else { false }
    }

    /// The room that is seen of the indicator where the list is: sticky headers stay at the edge.
    private var floatingRoom: Double {
        min(max(geometry.restingOffset - offset, 0), revealedLength)
    }

    /// The room that the indicator gets where the list is now, points.
    private func room(_ options: RefreshOptions) -> Double {
        if options.isFloating { return floatingRoom }
        guard let zone = options.roomZone else { return revealedLength }
        let isNear = !gesture.isFingerDown && offset <= geometry.restingOffset + zone
        return insets.refresh > 0 || isNear ? revealedLength : 0
    }

    /// The list moved while a refresh is shown.
    @inline(__always)
    mutating func followRoom(at now: Instant, into effects: inout [Effect]) {
        guard let options = options.refresh else { return }
        if options.isFloating {
            floatRoom()
            tellInsets(duration: 0, at: now, into: &effects)
        } else if options.roomZone != nil {
            openRoomIfNear()
            tellInsets(at: now, into: &effects)
        }
    }

    /// A room that opens only near the start opens when the list comes there without a finger.
    mutating func openRoomIfNear() {
        guard let options = options.refresh, options.roomZone != nil, options.holdsInset,
            refresh.isShown
        else { return }
        insets.refresh = room(options)
    }

    /// A room that has followed the list stays open from now on.
    mutating func holdRoom(at now: Instant, into effects: inout [Effect]) {
        guard let options = options.refresh, options.holdsInset, refresh.isShown else { return }
        insets.refresh = room(options)
        tellInsets(at: now, into: &effects)
    }

    mutating func floatRoom() {
        guard let options = options.refresh, options.isFloating, options.holdsInset,
            refresh.isShown
        else { return }
        insets.refresh = floatingRoom
    }

    /// Commands the offset and takes it as done.
    mutating func move(
        to place: Double, duration: UInt32, at now: Instant, into effects: inout [Effect]
    ) {
        let timeline = Timeline(start: now, duration: Double(duration), curve: .easeInOut)
        if !gesture.isFingerDown {
            let glide = Glide(origin: self.place(at: now), target: place, timeline: timeline)
            abandonMotion()
            motion = .gliding(glide)
        }
        offset = place
        effects.append(
            .moveContent(
                OffsetCommand(target: geometry.mirrored(place), timeline: timeline)))
    }

    /// Tells the insets that are wanted, unless a finger is down: then the release does (rule 10).
    mutating func tellInsets(
        duration: UInt32? = nil, at now: Instant, into effects: inout [Effect]
    ) {
        guard !gesture.isFingerDown, !insets.isSettled else { return }
        let usual = options.refresh?.insetDuration ?? options.loadMore?.insetDuration ?? 0
        if let command = insets.tell(start: now, duration: Double(duration ?? usual)) {
            effects.append(.setInset(command))
            if motion != nil { adaptMotion(at: now, into: &effects) }
        }
    }

    /// The driver could not deliver inset commands before a finger came down, and takes them back;
    /// the client has the shares given here. The release tells what is wanted then.
    package mutating func withdrawInsets(clientHasRefresh refresh: Double, loadMore: Double) {
        insets.withdraw(clientHasRefresh: refresh, loadMore: loadMore)
        if case .held(_, let travel) = motion { hold(travel: travel) }
    }
}
