import RefreshEngine
import RefreshProtocol

/// The events that the user's hand does not cause: those of the app's code, the backend, the
/// platform and the clock.
extension RandomEvents {
    mutating func other(_ engine: Engine) -> Event {
        if engine.refreshLoad != nil || engine.loadMore.load != nil, random.chance(40) {
            return answer(engine)
        }
        if let lookUp = engine.lookUp, random.chance(30) {
            return .lookUpEnded(
                random.chance(85) ? lookUp : load(engine),
                random.chance(60)
                    ? CachedEnding(
                        LoadEnding(.success, count: 10), ageMs: UInt32(random.below(10_000)),
                        isFresh: random.chance(50)) : nil)
        }
        switch random.below(40) {
        case 0..<7: return geometry(engine)
        case 7..<11: return .refreshRequested(cause: requestCause(), animated: random.chance(70))
        case 11: return .indicatorShowRequested(animated: random.chance(50))
        case 12: return .indicatorHideRequested(animated: random.chance(50))
        case 13..<16: return .loadMoreRequested(cause: requestCause())
        case 16, 17: return .retryRequested(role())
        case 18: return .cancelRequested(role())
        case 19: return .resetRequested(role())
        case 20, 21: return .floorRequested(isOpen: random.chance(60))
        case 22: return .appeared
        case 23: return .edgeEnabled(random.chance(50) ? .refresh : .loadMore, random.chance(75))
        case 24:
            return .edgesConfigured(
                refresh: random.chance(90) ? options.refresh() : nil,
                loadMore: random.chance(90) ? options.loadMore() : nil,
                paging: random.chance(20) ? options.paging() : nil,
                pan: random.chance(20) ? options.pan() : nil)
        case 25: return .loadProgressed(load(engine))
        case 26, 27:
            return .feedChanged(count: NewerCount(random.chance(70) ? random.below(9) : nil))
        case 28:
            return .queryChanged(
                debounceMs: random.chance(50) ? 0 : UInt32(random.below(400)),
                clears: random.chance(30), looksUp: random.chance(40))
        case 29: return .firstItemsRequested(looksUp: random.chance(50))
        case 30 where !isUpright:
            return .revealRequested(revealTarget(engine), animated: random.chance(70))
        case 31: return .readMarked("m\(random.below(9))")
        default: return .timePassed
        }
    }

    private mutating func revealTarget(_ engine: Engine) -> RevealTarget {
        switch random.below(6) {
        case 0, 1: .newestEnd
        case 2: .edge(engine.options.layout.edge(of: .refresh))
        case 3: .edge(engine.options.layout.edge(of: .loadMore))
        case 4: .edge(random.pick(.top, .leading))
        default:
            .item(
                name: item?.name ?? items + 1,
                position: random.chance(40) ? Double(random.below(3000)) : nil)
        }
    }

    /// The beginning or the end of a load. The load may have ended or never begun, so late and
    /// repeated answers occur too.
    private mutating func answer(_ engine: Engine) -> Event {
        switch random.below(10) {
        case 0, 1: .loadBegan(load(engine), accepted: random.chance(85))
        default: .loadEnded(load(engine), ending())
        }
    }

    private mutating func load(_ engine: Engine) -> LoadID {
        let current =
            random.chance(60)
            ? engine.refreshLoad ?? engine.loadMore.load
            : engine.loadMore.load ?? engine.refreshLoad
        if let current, random.chance(92) { return current }
        return LoadID(UInt32(random.below(6)))
    }

    private mutating func ending() -> LoadEnding {
        let result: LoadResult =
            switch random.below(12) {
            case 0..<6: .success
            case 6: .empty
            case 7: .noMore
            case 8, 9: .failed
            case 10: .cancelled
            default: .timedOut
            }
        let more: Bool? =
            switch random.below(6) {
            case 0: false
            case 1, 2: true
            default: nil
            }
        let count =
            switch random.below(4) {
            case 0: 0
            case 1: 3
            case 2: 10
            default: 50
            }
        return LoadEnding(
            result, count: count, more: more, cursor: random.chance(70) ? "next" : nil)
    }

    private mutating func role() -> EdgeRole? {
        switch random.below(3) {
        case 0: nil
        case 1: .refresh
        default: .loadMore
        }
    }

    private mutating func requestCause() -> Cause {
        switch random.below(8) {
        case 0: .finger
        case 1: .wheel
        case 2: .key
        case 3: .accessibility
        default: .code
        }
    }

    /// A sample with a random phase and a random cause, or an event that the hand does not cause.
    /// The sample need not fit the current gesture.
    mutating func stray(_ engine: Engine) -> Event {
        let phase: ScrollPhase =
            switch random.below(7) {
            case 0: .began
            case 1, 2: .dragging
            case 3: .ended
            case 4: .cancelled
            case 5: .decelerating
            default: .idle
            }
        let cause: Cause =
            switch random.below(8) {
            case 0: .wheel
            case 1: .key
            case 2, 3: .code
            default: .finger
            }
        switch random.below(8) {
        case 0..<4: return scroll(phase, target(engine), cause: cause, engine)
        case 4, 5:
            guard pans > 0 else { return other(engine) }
            let distance =
                isExtreme && random.chance(30)
                ? extreme() : random.sixteenths(from: -300, to: 300)
            return .panned(PanSample(translation: distance, phase: phase, cause: cause))
        case 6: return .timePassed
        default: return other(engine)
        }
    }
}

// MARK: Sizes

extension RandomEvents {
    mutating func extreme() -> Double {
        random.pick(0, 0.001, 1, 800, 10_000_000, 1_000_000_000)
    }

    /// Sizes along the axis, in whole points.
    mutating func sizes(_ isHorizontal: Bool) -> GeometryChange {
        var change = GeometryChange()
        let viewport = isExtreme ? extreme() : random.pick(0, 800, 800, 800, 640)
        let content = isExtreme ? extreme() : random.pick(0, 300, 800, 830, 2000, 2000, 4000)
        change.viewport = size(viewport, isHorizontal)
        change.content = size(content, isHorizontal)
        change.insets = insets(isHorizontal)
        return change
    }

    private func size(_ length: Double, _ isHorizontal: Bool) -> SizeChange {
        isHorizontal
            ? SizeChange(width: length, height: 390) : SizeChange(width: 390, height: length)
    }

    private mutating func insets(_ isHorizontal: Bool) -> EdgeInsets {
        let near = isExtreme ? extreme() : random.pick(0, 0, 47.6875, 88)
        let far = isExtreme ? extreme() : random.pick(0, 34.3125)
        return isHorizontal
            ? EdgeInsets(left: near, right: far) : EdgeInsets(top: near, bottom: far)
    }

    /// The item that anchors the client's list. It is the known item (`item`) or, if there is none,
    /// a new visible item. Items that were inserted before the known item have moved it by `shift`
    /// points. `content` is the length of the content after the change.
    private mutating func anchor(_ engine: Engine, _ content: Double, shift: Double) -> Anchor {
        var held = item ?? newItem(engine)
        held.place += shift
        item = held
        return Anchor(
            name: held.name,
            position: engine.geometry.isMirrored ? content - held.place : held.place)
    }

    private mutating func newItem(_ engine: Engine) -> Item {
        items += 1
        let seen = engine.offset + random.sixteenths(from: 0, to: 400)
        return Item(
            name: items, place: min(max(seen, 0), engine.geometry.contentLength))
    }

    private mutating func geometry(_ engine: Engine) -> Event {
        let isHorizontal = engine.options.layout.axis == .horizontal
        var change = GeometryChange()
        let length = engine.geometry.contentLength
        switch random.below(8) {
        case 0:
            let added = random.pick(60.0, 600, 2000)
            change.content = size(length + added, isHorizontal)
            let isBefore = random.chance(50)
            if random.chance(60) {
                change.anchor = anchor(engine, length + added, shift: isBefore ? added : 0)
            } else if isBefore {
                // The inserted items have moved the known item, and the client does not report
                // this.
                item = nil
            }
        case 1, 2:
            item = nil
            change.content = size(random.pick(0, 300, 790, 2000, 4000), isHorizontal)
        case 3:
            let height = random.pick(0.0, 44, 88)
            if isUpright {
                change.insets = EdgeInsets(top: height)
            } else {
                change.bars = Bars(navigationBottom: height)
            }
        case 4: change.viewport = size(random.pick(390, 640, 800), isHorizontal)
        case 5: change.insets = insets(isHorizontal)
        case 6:
            if isHorizontal {
                change.direction = random.chance(50) ? .leftToRight : .rightToLeft
            } else {
                if random.chance(30) { item = nil }
                change.anchor = anchor(engine, length, shift: 0)
            }
        default:
            item = nil
            change = sizes(isHorizontal)
        }
        if tellsOffsets || random.chance(20) {
            change.offset = engine.physicalOffset + random.pick(0, 0, 7.25, -30.5)
        }
        return .geometryChanged(change)
    }
}
