package import RefreshProtocol

/// Computes the control law: the data with which a client draws the view without a round trip, and
/// the samples that the client must send.
///
/// A sample between two crossings (`crossings`) and outside the ranges in `follow` changes only the
/// progress of a pull, so the engine does not need it. The law is computed in places (positions in
/// reading direction) and sent as physical offsets.
extension Engine {
    /// The control law at `now`, without the resistance. While the options, the geometry and
    /// `controlLawInputs(at:)` are the same, the law is the same.
    package func law(at now: Instant) -> ControlLaw { law(on: controlLawInputs(at: now)) }

    /// The control law for known inputs.
    package func law(on inputs: ControlLawInputs) -> ControlLaw {
        var interest = rangesOfInterest(inputs)
        var crossings = requiredCrossings(inputs, interest)
        var follow = followedRanges(inputs)
        if geometry.isMirrored {
            for index in interest.indices { interest[index] = physical(interest[index]) }
            for index in crossings.indices {
                crossings[index] = geometry.mirrored(crossings[index])
            }
            for index in follow.indices { follow[index] = physical(follow[index]) }
        }
        if crossings.count > 1 { crossings.sort() }
        return ControlLaw(
            rest: physical(scrollRange), refresh: pullLaw(inputs), loadMore: approachLaw(inputs),
            crossings: crossings, follow: follow, interest: interest)
    }

    // MARK: Edges

    private func pullLaw(_ inputs: ControlLawInputs) -> ControlLaw.EdgeSight {
        guard let options = options.refresh else { return .absent }
        guard inputs.isPullSeen else { return .unseen }
        let whole = pullThreshold
        var law = EdgeLaw(
            begin: geometry.mirrored(pullBegin), whole: geometry.mirrored(whole))
        guard inputs.mayArm else { return .seen(law) }
        law.arm = law.whole
        law.disarm = geometry.mirrored(whole + options.hysteresis)
        law.isStrict = options.isStrict
        law.fires = predictableFiring(options, inputs)
        // If a room at the other end closes at the same time, the room at this edge opens with
        // another duration. The law then does not contain the room at this edge.
        let opensRoom =
            options.trigger == .release && options.holdsInset && inputs.isEndIdle
            && options.roomZone == nil && !options.isFloating
        if law.fires != nil, opensRoom {
            law.room = options.room
            law.duration = options.insetDuration
        }
        return .seen(law)
    }

    /// The event on which the armed edge fires; nil if the client cannot predict it.
    private func predictableFiring(_ options: RefreshOptions, _ inputs: ControlLawInputs) -> EdgeLaw
        .Fires?
    {
        guard inputs.mayFireNow else { return nil }
        if options.trigger == .reach { return .reach }
        // With a floor, the release can open the floor instead of firing the edge. The client can
        // pass the floor's threshold before the daemon receives the sample.
        return options.hasFloor ? nil : .release
    }

    private func approachLaw(_ inputs: ControlLawInputs) -> ControlLaw.EdgeSight {
        guard let options = options.loadMore else { return .absent }
        guard inputs.isEndSeen else { return .unseen }
        let threshold = preloadThreshold(options)
        var law = EdgeLaw(
            begin: geometry.mirrored(threshold - options.length),
            whole: geometry.mirrored(threshold))
        let canFinger = options.intents.allows(.finger) && options.trigger != .platform
        let canFling = options.intents.allows(.fling) && options.mode == .limit
        guard inputs.mayRequest, canFinger || canFling else { return .seen(law) }
        law.arm = law.whole
        law.fires = options.trigger == .release && canFinger ? .release : .reach
        if let time = leadTime(options) {
            let end = geometry.mirrored(loadMoreThreshold(options, preload: 0))
            law.lead = EdgeLaw.Lead(time: time, place: end)
        }
        return .seen(law)
    }

    /// The time, in milliseconds, by which the next page is requested before the list reaches its
    /// end.
    private func leadTime(_ options: LoadMoreOptions) -> Double? {
        options.leadTime.map { (Double($0) + scrollSpeed.latency).rounded(.up) }
    }

    // MARK: Required samples

    private func requiredCrossings(_ inputs: ControlLawInputs, _ interest: [OffsetRange])
        -> [Double]
    {
        // The places are in an array, because a set would be slower for so few values.
        var places: [Double] = []
        func add(_ place: Double) {
            if !places.contains(place), interest.contains(where: { $0.contains(place) }) {
                places.append(place)
            }
        }
        let rest = geometry.restingOffset
        if inputs.isRangeUndecided {
            add(scrollRange.lowerBound)
            add(scrollRange.upperBound)
        }
        // If the threshold does not lie past the resting offset, a list at its start is already at
        // the threshold. Only a movement past the resting offset then requests a page.
        if let options = options.loadMore, preloadThreshold(options) <= rest {
            add(rest)
        }
        if let options = options.refresh {
            // The client itself detects where a pull begins and where it arms the edge.
            if inputs.isPullSeen, !inputs.mayArm || options.hasFloor {
                add(pullThreshold)
                if let floor = options.floor { add(pullOrigin - floor.length) }
            }
            if let heldAt = inputs.heldAt {
                add(heldAt - max(options.slop, 1))
                add(rest)
            }
            if inputs.restShift != 0 { add(returnOffset) }
            if inputs.isRoomUndecided {
                if options.isFloating { add(rest) }
                if let zone = options.roomZone { add(rest + zone) }
            }
        }
        if let options = options.loadMore {
            let threshold = preloadThreshold(options)
            if inputs.isEndSeen, !inputs.mayRequest || inputs.isMoreRenewed {
                add(threshold)
            }
            if inputs.isEndRequested { add(threshold - options.length) }
        }
        return places
    }

    /// The ranges in which the client must send every sample (`follow`). With `pan`, samples at all
    /// offsets count, so these ranges can lie outside the ranges of `rangesOfInterest`.
    private func followedRanges(_ inputs: ControlLawInputs) -> [OffsetRange] {
        if inputs.floorHasTheList { return [.everything] }
        if isShiftEnding { return [.everything] }
        let rest = geometry.restingOffset
        var ranges: [OffsetRange] = []
        if inputs.isRangeUndecided {
            // A finger can hold the list by `pan` beyond its range. If the range then changes, the
            // finger gets a new drag anchor.
            let range = scrollRange
            ranges.append(OffsetRange(from: nil, to: range.lowerBound))
            ranges.append(OffsetRange(from: range.upperBound, to: nil))
        }
        if let options = options.refresh {
            if inputs.comesBack {
                ranges.append(OffsetRange(from: nil, to: rest - Self.restingTolerance))
            }
            if let heldAt = inputs.heldAt {
                ranges.append(OffsetRange(from: nil, to: heldAt - max(options.slop, 1)))
                ranges.append(OffsetRange(from: rest, to: nil))
            }
            let isUnpredictable =
                inputs.isCoolingDown || options.trigger == .platform
                || options.intents.allows(.fling)
            if options.isFloating, inputs.isRoomUndecided {
                ranges.append(OffsetRange(from: nil, to: rest))
            } else if inputs.isPullSeen, isUnpredictable {
                ranges.append(OffsetRange(from: nil, to: pullThreshold))
            }
        }
        guard let options = options.loadMore, inputs.hasEnd else { return ranges }
        let threshold = preloadThreshold(options)
        let hasLead = options.leadTime != nil
        if inputs.isBackingOff || (hasLead && inputs.isMoreRenewed) {
            ranges.append(OffsetRange(from: hasLead ? nil : threshold, to: nil))
        }
        if inputs.mayRequestAgain { ranges.append(OffsetRange(from: threshold, to: nil)) }
        if inputs.isEndRequested {
            ranges.append(OffsetRange(from: nil, to: threshold - options.length))
        }
        return ranges
    }

    /// The ranges in which the list's movement can matter: around its start, and near its end.
    private func rangesOfInterest(_ inputs: ControlLawInputs) -> [OffsetRange] {
        var start: OffsetRange?
        if let options = options.refresh, options.isEnabled {
            let rest = geometry.restingOffset
            let most = max(returnOffset, rest + (options.roomZone ?? 0))
            start = OffsetRange(from: nil, to: most)
        }
        guard let options = options.loadMore, inputs.hasEnd else { return start.map { [$0] } ?? [] }
        let begin = preloadThreshold(options) - options.length
        let near = begin - (leadTime(options) ?? 0) * Self.expectedSpeedMax
        let end = OffsetRange(from: near, to: nil)
        guard let start, let most = start.to else { return [end] }
        return most >= near ? [.everything] : [start, end]
    }

    /// The fastest speed that is expected, in points per millisecond. If the list is faster,
    /// samples arrive later than they are needed.
    private static let expectedSpeedMax = 4.0

    // MARK: Places and offsets

    /// The place at which the pull becomes visible.
    private var pullBegin: Double {
        pullOrigin + (options.refresh?.preload ?? 0) - (options.refresh?.start ?? 0)
    }

    private func physical(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
        let (a, b) = (geometry.mirrored(range.lowerBound), geometry.mirrored(range.upperBound))
        return min(a, b)...max(a, b)
    }

    /// Converts a range of places to a range of physical offsets.
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
