/// A random trace for `peer`, one of the original libraries whose behaviour the tests have
/// recorded. The trace contains settings, and events of every kind that a user, an app's code and a
/// delegate can cause. Some of these events make no sense.
struct RandomTrace {
    private var random: SeededGenerator
    private let peer: OracleFolder.Peer
    private var geometry: OracleTrace.Geometry
    private var settings = OracleTrace.Settings()
    private var events: [OracleTrace.Event] = []
    private var time = 0.0
    private var offset: Double
    private var isAlone = false

    /// The trace for `seed`, with about `length` events.
    static func trace(seed: UInt64, for peer: OracleFolder.Peer, length: Int) -> OracleTrace {
        var maker = RandomTrace(seed: seed, for: peer)
        let geometry = maker.geometry
        while maker.events.count < length { maker.happen() }
        return OracleTrace(
            name: "seed-\(seed)", geometry: geometry, config: maker.settings,
            events: maker.events)
    }

    private init(seed: UInt64, for peer: OracleFolder.Peer) {
        self.peer = peer
        var random = SeededGenerator(seed: seed)
        let isTurned = random.chance(20)
        let isHorizontal = peer == .iqpulltorefresh && isTurned
        let length: Double = random.pick(2000, 2000, 2000, 300, 800, 830, 0)
        let start: Double = random.pick(0, 0, 0, 64, 20.5)
        let end: Double = random.pick(0, 0, 0, 34, 10.25)
        let safeStart: Double = random.pick(0, 0, 0, 47, 47.67)
        let safeEnd: Double = random.pick(0, 0, 0, 34, 20.67)
        typealias Insets = OracleTrace.Insets
        offset = 0 - start - safeStart
        geometry = OracleTrace.Geometry(
            direction: isHorizontal ? "horizontal" : "vertical",
            viewport: isHorizontal
                ? .init(width: 800, height: 390) : .init(width: 390, height: 800),
            contentSize: isHorizontal
                ? .init(width: length, height: 390) : .init(width: 390, height: length),
            contentInset: isHorizontal
                ? Insets(left: start, right: end) : Insets(top: start, bottom: end),
            safeArea: isHorizontal
                ? Insets(left: safeStart, right: safeEnd)
                : Insets(top: safeStart, bottom: safeEnd),
            initialOffset: isHorizontal ? .init(x: offset, y: 0) : .init(x: 0, y: offset))
        self.random = random
        switch peer {
        case .iqpulltorefresh: settings.iqpulltorefresh = iqSettings()
        case .mrefresh: settings.mrefresh = mrSettings()
        }
    }

    // MARK: Settings

    private mutating func iqSettings() -> OracleTrace.IQ {
        let wrapper =
            random.chance(30)
            ? OracleTrace.Wrapper(
                pageOffsetStyle: random.pick(
                    "none", "pageFrom0", "pageFrom1", "offsetFrom0", "offsetFrom1"),
                pageSize: random.pick(10, 10, 5)) : nil
        let delegate = OracleTrace.Delegate(
            begin: random.pick("success", "success", "success", "failure", "none"),
            finish: random.chance(90) ? "event" : "sync")
        // If the delegate answers within the call, the original evaluates the other edge in the
        // same event. Therefore only one edge is enabled.
        isAlone = wrapper == nil && (delegate.begin == "failure" || delegate.finish == "sync")
        let hasRefresh = random.chance(isAlone ? 50 : 92)
        return OracleTrace.IQ(
            refreshControl: control(isRefresh: true), loadMoreControl: control(isRefresh: false),
            enableRefresh: hasRefresh,
            enableLoadMore: isAlone ? !hasRefresh : random.chance(70), delegate: delegate,
            wrapper: wrapper)
    }

    private mutating func control(isRefresh: Bool) -> OracleTrace.Control {
        if random.chance(25) { return OracleTrace.Control(kind: "indicator") }
        if isRefresh, random.chance(15) { return OracleTrace.Control(kind: "system") }
        return OracleTrace.Control(
            kind: "custom", refreshLength: random.pick(80, 80, 60),
            mode: random.pick("userInteraction", "scrollLimitReached"),
            style: random.pick("touchRelease", "progressCompletion"),
            preloadOffset: random.pick(0, 0, 0, 30))
    }

    private mutating func mrSettings() -> OracleTrace.MR {
        let start = random.pick(30.0, 30, 30, 0, 10, 110)
        return OracleTrace.MR(
            viewHeight: 40, heightIncrease: 40, animationEndDistanceOffset: 30,
            animationStartDistance: start, loadingContentInset: 80,
            animationDistance: 110 - start, animationStart: start,
            finishInHandler: random.chance(10))
    }

    // MARK: Events

    private mutating func happen() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40: drag()
        case 40..<50: fling()
        case 50..<56: move(to: place())
        case 56..<60: add("decelerateEnd")
        case 60..<63: changeSizes()
        default: peer == .mrefresh ? work() : workOfEdges()
        }
    }

    private mutating func drag() {
        add("dragBegin")
        let steps = Int.random(in: 1...5, using: &random)
        for _ in 0..<steps {
            move(to: random.chance(60) ? place() : offset + random.pick(-70, -20, 5, 20, 70))
            if random.chance(12) { peer == .mrefresh ? work() : workOfEdges() }
            if random.chance(2) { changeSizes() }
        }
        let decelerates = random.chance(70)
        if random.chance(80) {
            add("dragEnd") { [isLatched = decelerates && random.chance(10)] in
                $0.decelerate = decelerates
                if isLatched { $0.draggingStaysTrue = true }
            }
        } else {
            add("dragCancel") { $0.decelerate = decelerates }
        }
        if decelerates { fling() }
    }

    private mutating func fling() {
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            move(to: random.chance(50) ? place() : offset + random.pick(-90, -30, 10, 30, 90))
            if random.chance(5) { peer == .mrefresh ? work() : workOfEdges() }
        }
        if random.chance(70) { add("decelerateEnd") }
        if random.chance(5) { add("phaseFlags") { $0.dragging = false } }
    }

    private mutating func move(to place: Double) {
        offset = (place * 2).rounded() / 2
        let isHorizontal = geometry.direction == "horizontal"
        let place = random.chance(90) ? offset : offset + 0.137
        add("scroll") { if isHorizontal { $0.x = place } else { $0.y = place } }
    }

    /// Returns an offset at or near a threshold or an end of the list.
    private mutating func place() -> Double {
        let start =
            0 - [geometry.contentInset, geometry.safeArea].reduce(0) { $0 + $1.top + $1.left }
        let inset = [geometry.contentInset, geometry.safeArea].reduce(0) {
            $0 + $1.bottom + $1.right
        }
        let isHorizontal = geometry.direction == "horizontal"
        let content = isHorizontal ? geometry.contentSize.width : geometry.contentSize.height
        let viewport = isHorizontal ? geometry.viewport.width : geometry.viewport.height
        let end = max(start, content + inset - viewport)
        return switch Int.random(in: 0..<10, using: &random) {
        case 0: start
        case 1..<5: start - random.pick(5.0, 30, 59.5, 60, 79.5, 80, 85, 110, 110.5, 120, 171)
        case 5: start + random.pick(1.0, 15, 20, 25, 100)
        case 6: end
        case 7..<9: end + random.pick(1.0, 10, 59.5, 60, 80, 85)
        default: end - random.pick(0.5, 10, 30, 59.5, 60, 80, 100)
        }
    }

    private mutating func changeSizes() {
        let isHorizontal = geometry.direction == "horizontal"
        func insets(_ start: Double, _ end: Double) -> OracleTrace.Insets {
            isHorizontal ? .init(left: start, right: end) : .init(top: start, bottom: end)
        }
        func size(_ length: Double) -> OracleTrace.Extent {
            isHorizontal ? .init(width: length, height: 390) : .init(width: 390, height: length)
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            geometry.contentSize = size(random.pick(0.0, 300, 2000, 3000))
            add("setContentSize") { [new = geometry.contentSize] in
                ($0.width, $0.height) = (new.width, new.height)
            }
        case 1:
            geometry.viewport = size(random.pick(390.0, 800))
            add("setViewport") { [new = geometry.viewport] in
                ($0.width, $0.height) = (new.width, new.height)
            }
        case 2:
            geometry.contentInset = insets(random.pick(0.0, 20, 64), random.pick(0.0, 34))
            add("setContentInset") { [new = geometry.contentInset] in $0.take(new) }
        default:
            geometry.safeArea = insets(random.pick(0.0, 21, 47), random.pick(0.0, 21))
            add("setSafeArea") { [new = geometry.safeArea] in $0.take(new) }
        }
        // When sizes change, the platform moves the list.
        move(to: place())
    }

    private mutating func workOfEdges() {
        let isSuccess = random.chance(70)
        let call = random.chance(80) ? nil : Int.random(in: 0...3, using: &random)
        let isOn = random.chance(60)
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<2: add("refresh")
        case 2..<4: add("loadMore")
        case 4: add("stopRefresh")
        case 5: add("stopLoadMore")
        case 6 where settings.iqpulltorefresh?.wrapper == nil && !isAlone:
            add("enableRefresh") { $0.value = isOn }
        case 7 where settings.iqpulltorefresh?.wrapper == nil && !isAlone:
            add("enableLoadMore") { $0.value = isOn }
        case 8:
            add("replaceRefreshControl") { [new = random.pick(60.0, 80)] in $0.refreshLength = new }
        case 9: add("setRefreshLength") { [new = random.pick(60.0, 80)] in $0.refreshLength = new }
        case 10: add("idle")
        case 11 where settings.iqpulltorefresh?.refreshControl.kind == "system":
            add("systemRefreshFires")
        case 11..<13 where settings.iqpulltorefresh?.wrapper != nil:
            add("setPageSize") { [new = random.pick(5, 10)] in $0.count = new }
        default: answer(isSuccess: isSuccess, call: call)
        }
    }

    private mutating func answer(isSuccess: Bool, call: Int?) {
        guard settings.iqpulltorefresh?.wrapper == nil else {
            let count = isSuccess ? random.pick(10, 10, 10, 5, 3, 0, 20) : 0
            // The upper bound is roughly the number of pages requested so far.
            let request = Int.random(in: 0...(1 + events.count / 10), using: &random)
            return add("respond") {
                $0.request = request
                $0.success = isSuccess
                $0.count = count
            }
        }
        let type = random.pick(
            "refreshFinish", "refreshFinish", "loadMoreFinish", "loadMoreFinish", "refreshBegin",
            "loadMoreBegin")
        add(type) {
            $0.call = call
            $0.success = isSuccess
        }
    }

    private mutating func work() {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: add("enableRefresh") { [isOn = random.chance(60)] in $0.value = isOn }
        case 1: add("idle")
        default: add("refreshFinish") { $0.success = true }
        }
    }

    private mutating func add(
        _ type: String, _ change: (inout OracleTrace.Event) -> Void = { _ in }
    ) {
        time += random.pick(16.667, 16.667, 300)
        var event = OracleTrace.Event(t: time, type: type)
        change(&event)
        events.append(event)
    }
}

extension OracleTrace.Event {
    fileprivate mutating func take(_ insets: OracleTrace.Insets) {
        (top, left, bottom, right) = (insets.top, insets.left, insets.bottom, insets.right)
    }
}
