package import RefreshProtocol

/// What a client must know to paint the view by itself, and what this engine wants to hear.
///
/// Between two crossings, outside of what is to be followed, a sample changes nothing here but the
/// progress of a pull: that is what makes it needless. Worked out in places, told as offsets.
extension Engine {
    /// The control law at `now`, without the resistance. The same as long as options, geometry and
    /// `lawGround(at:)` are.
    package func law(at now: Instant) -> ControlLaw { law(on: lawGround(at: now)) }

    /// The same, where the ground is known.
    package func law(on ground: LawGround) -> ControlLaw {
        var interest = lawInterest(ground)
        var crossings = lawCrossings(ground, interest)
        var follow = lawFollow(ground)
        if geometry.isMirrored {
            for index in interest.indices { interest[index] = physical(interest[index]) }
            for index in crossings.indices {
                crossings[index] = geometry.mirrored(crossings[index])
            }
            for index in follow.indices { follow[index] = physical(follow[index]) }
        }
        if crossings.count > 1 { crossings.sort() }
        return ControlLaw(
            rest: physical(scrollRange), refresh: pullLaw(ground), loadMore: approachLaw(ground),
            crossings: crossings, follow: follow, interest: interest)
    }

    // MARK: Edges

    private func pullLaw(_ ground: LawGround) -> ControlLaw.EdgeSight {
        guard let options = options.refresh else { return .absent }
        guard ground.isPullSeen else { return .unseen }
        let whole = pullThreshold
        var law = EdgeLaw(
            begin: geometry.mirrored(pullBegin), whole: geometry.mirrored(whole))
        guard ground.mayArm else { return .seen(law) }
        law.arm = law.whole
        law.disarm = geometry.mirrored(whole + options.hysteresis)
        law.isStrict = options.isStrict
        law.fires = foreseen(options, ground)
        // With a room that closes at the other end it opens in another time.
        let opensRoom =
            options.trigger == .release && options.holdsInset && ground.isEndQuiet
            && options.roomZone == nil && !options.isFloating
        if law.fires != nil, opensRoom {
            law.room = options.room
            law.duration = options.insetDuration
        }
        return .seen(law)
    }

    /// What the armed edge will do, where the client can know.
    private func foreseen(_ options: RefreshOptions, _ ground: LawGround) -> EdgeLaw.Fires? {
        guard ground.mayFireNow else { return nil }
        if options.trigger == .reach { return .reach }
        // A floor may open instead, and the client may be beyond its threshold before this is heard
        // of.
        return options.hasFloor ? nil : .release
    }

    private func approachLaw(_ ground: LawGround) -> ControlLaw.EdgeSight {
        guard let options = options.loadMore else { return .absent }
        guard ground.isEndSeen else { return .unseen }
        let threshold = approachThreshold(options)
        var law = EdgeLaw(
            begin: geometry.mirrored(threshold - options.length),
            whole: geometry.mirrored(threshold))
        let canFinger = options.intents.allows(.finger) && options.trigger != .platform
        let canFling = options.intents.allows(.fling) && options.mode == .limit
        guard ground.mayAsk, canFinger || canFling else { return .seen(law) }
        law.arm = law.whole
        law.fires = options.trigger == .release && canFinger ? .release : .reach
        if let time = leadTime(options) {
            let end = geometry.mirrored(self.threshold(options, preload: 0))
            law.lead = EdgeLaw.Lead(time: time, place: end)
        }
        return .seen(law)
    }

    /// How long before the end the next page is asked for, at most, milliseconds.
    private func leadTime(_ options: LoadMoreOptions) -> Double? {
        options.leadTime.map { (Double($0) + pace.latency).rounded(.up) }
    }

    // MARK: What is to be heard

    private func lawCrossings(_ ground: LawGround, _ interest: [OffsetRange]) -> [Double] {
        // A handful: no set is worth its making.
        var places: [Double] = []
        func add(_ place: Double) {
            if !places.contains(place), interest.contains(where: { $0.contains(place) }) {
                places.append(place)
            }
        }
        let rest = geometry.restingOffset
        if ground.isRangeUndecided {
            add(scrollRange.lowerBound)
            add(scrollRange.upperBound)
        }
        // Short content is always at its end: there only a pull beyond the start asks for more.
        if let options = options.loadMore, approachThreshold(options) <= rest {
            add(rest)
        }
        if let options = options.refresh {
            // Where a pull begins, and where it arms, the client sees itself.
            if ground.isPullSeen, !ground.mayArm || options.hasFloor {
                add(pullThreshold)
                if let floor = options.floor { add(pullRest - floor.length) }
            }
            if let heldAt = ground.heldAt {
                add(heldAt - max(options.slop, 1))
                add(rest)
            }
            if ground.restShift != 0 { add(returnPlace) }
            if ground.isRoomUndecided {
                if options.isFloating { add(rest) }
                if let zone = options.roomZone { add(rest + zone) }
            }
        }
        if let options = options.loadMore {
            let threshold = approachThreshold(options)
            if ground.isEndSeen, !ground.mayAsk || ground.isMoreRenewed {
                add(threshold)
            }
            if ground.isEndAskedAbout { add(threshold - options.length) }
        }
        return places
    }

    /// By `pan` each sample counts wherever the list is: these know no interest.
    private func lawFollow(_ ground: LawGround) -> [OffsetRange] {
        if ground.floorHasTheList { return [.everything] }
        let rest = geometry.restingOffset
        var ranges: [OffsetRange] = []
        if ground.isRangeUndecided {
            // Where a finger of `pan` is beyond a range that will be another, it is held anew
            // there.
            let range = scrollRange
            ranges.append(OffsetRange(from: nil, to: range.lowerBound))
            ranges.append(OffsetRange(from: range.upperBound, to: nil))
        }
        if let options = options.refresh {
            if ground.comesBack {
                ranges.append(OffsetRange(from: nil, to: rest - Self.restingTolerance))
            }
            if let heldAt = ground.heldAt {
                ranges.append(OffsetRange(from: nil, to: heldAt - max(options.slop, 1)))
                ranges.append(OffsetRange(from: rest, to: nil))
            }
            let isMoot =
                ground.isCoolingDown || options.trigger == .platform
                || options.intents.allows(.fling)
            if options.isFloating, ground.isRoomUndecided {
                ranges.append(OffsetRange(from: nil, to: rest))
            } else if ground.isPullSeen, isMoot {
                ranges.append(OffsetRange(from: nil, to: pullThreshold))
            }
        }
        guard let options = options.loadMore, ground.hasEnd else { return ranges }
        let threshold = approachThreshold(options)
        let hasLead = options.leadTime != nil
        if ground.isBackingOff || (hasLead && ground.isMoreRenewed) {
            ranges.append(OffsetRange(from: hasLead ? nil : threshold, to: nil))
        }
        if ground.mayAskAgain { ranges.append(OffsetRange(from: threshold, to: nil)) }
        if ground.isEndAskedAbout {
            ranges.append(OffsetRange(from: nil, to: threshold - options.length))
        }
        return ranges
    }

    /// Where what the list does can matter: around its start, and near its end.
    private func lawInterest(_ ground: LawGround) -> [OffsetRange] {
        var start: OffsetRange?
        if let options = options.refresh, options.isEnabled {
            let rest = geometry.restingOffset
            let most = max(returnPlace, pullBegin, rest + (options.roomZone ?? 0))
            start = OffsetRange(from: nil, to: most)
        }
        guard let options = options.loadMore, ground.hasEnd else { return start.map { [$0] } ?? [] }
        let begin = approachThreshold(options) - options.length
        let near = begin - (leadTime(options) ?? 0) * Self.speedForeseen
        let end = OffsetRange(from: near, to: nil)
        guard let start, let most = start.to else { return [end] }
        return most >= near ? [.everything] : [start, end]
    }

    /// Points per millisecond: a list that is faster is heard of later.
    private static let speedForeseen = 4.0

    // MARK: Places and offsets

    /// Where the pull begins to be seen.
    private var pullBegin: Double {
        pullRest + (options.refresh?.preload ?? 0) - (options.refresh?.start ?? 0)
    }

    private func approachThreshold(_ options: LoadMoreOptions) -> Double {
        threshold(options, preload: preload(options))
    }

    private func physical(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
        let (a, b) = (geometry.mirrored(range.lowerBound), geometry.mirrored(range.upperBound))
        return min(a, b)...max(a, b)
    }

    /// Of a list that is read from its physical end.
    private func physical(_ range: OffsetRange) -> OffsetRange {
        OffsetRange(
            from: range.to.map { geometry.mirrored($0) },
            to: range.from.map { geometry.mirrored($0) })
    }
}

extension OffsetRange {
    fileprivate func contains(_ place: Double) -> Bool {
        place >= from ?? -.infinity && place <= to ?? .infinity
    }
}
