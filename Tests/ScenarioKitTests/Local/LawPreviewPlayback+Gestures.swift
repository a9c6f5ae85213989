import RefreshBroker
import RefreshProtocol

@testable import ScenarioKit

/// The gestures of a typical user: pulls, drags, flings, rests and catches.
extension LawPreviewPlayback {
    /// The offset at which the list rests at the start of its content, and the sign by which the
    /// offset changes from there into the content.
    private var rest: Double {
        attach.isMirrored
            ? attach.content - attach.viewport + attach.start : -attach.start
    }

    private var direction: Double { attach.isMirrored ? -1 : 1 }

    private var endPlace: Double {
        max(0, attach.content + attach.end - attach.viewport + attach.start)
    }

    /// Returns the offset at this distance from the start of the content.
    private func offset(at place: Double) -> Double { rest + direction * place }

    private var place: Double { (offset - rest) * direction }

    /// Performs a gesture and what follows it. If the list is not caught, waits afterwards.
    func gesture() {
        isCaught = false
        switch random.below(20) {
        case 0: wheel()
        case 1: request()
        default: if attach.pans { pan() } else { drag() }
        }
        // If the list was caught, another finger is already on it.
        if !isCaught { wait(random.pick(0, 16, 100, 400, 1500, 3500)) }
    }

    /// Performs a pull, or a scroll to the end. Every message is answered before the next gesture
    /// begins, so that no late answer arrives during a gesture.
    func calmGesture() {
        followCommands()
        let goal = random.chance(60) ? -attach.length * 2 : target()
        move(HandSample(t: t, .offset(offset), phase: .began))
        let from = place
        for step in 1...12 {
            pass(16)
            let next = from + (goal - from) * Double(step) / 12
            move(HandSample(t: t, .offset(sixteenth(offset(at: next))), phase: .dragging))
        }
        pass(1000)
        move(HandSample(t: t, .offset(offset), phase: .ended))
        pass(1000)
        let rest = clamped(place)
        move(HandSample(t: t, .offset(sixteenth(offset(at: rest))), phase: .decelerating))
        pass(16)
        move(HandSample(t: t, .offset(offset), phase: .idle))
        pass(8000)
        followCommands()
    }

    /// Waits until all motion has ended.
    func end() {
        if isCaught { move(HandSample(t: t, .offset(offset), phase: .idle)) }
        wait(9000)
    }

    private func frame(_ what: String) {
        compare(what)
        pass(pause())
        compare("after \(what)")
    }

    private func pause() -> Double {
        switch random.below(30) {
        case 0: 100
        case 1: 400
        case 2: random.chance(30) ? 2500 : 32
        case 3: 8
        default: 16
        }
    }

    func wait(_ ms: Double) {
        var left = ms
        while left > 0 {
            let step = min(left, ms > 1000 ? 170 : 48)
            pass(step)
            compare("waiting")
            left -= step
        }
        followCommands()
    }

    /// Returns a position, either near a threshold or a random one.
    private func target() -> Double {
        let length = attach.length
        return switch random.below(14) {
        case 0: 0
        case 1: -random.sixteenths(0, length)
        case 2: -length
        case 3, 4, 5: -length - random.sixteenths(0, 60)
        case 6: -length * 2.25
        case 7: random.sixteenths(0, 300)
        case 8: endPlace
        case 9: endPlace + random.sixteenths(0, 120)
        case 10: endPlace - random.sixteenths(0, 300)
        case 11: random.sixteenths(0, max(endPlace, 1))
        default: place + random.sixteenths(-40, 40)
        }
    }

    private func sixteenth(_ value: Double) -> Double { (value * 16).rounded() / 16 }

    // MARK: Scrolling

    private func drag() {
        followCommands()
        move(HandSample(t: t, .offset(offset), phase: .began))
        frame("began")
        for _ in 0...random.below(3) {
            let goal = target()
            let steps = 1 + random.below(4)
            let from = place
            for step in 1...steps {
                let next = from + (goal - from) * Double(step) / Double(steps)
                move(HandSample(t: t, .offset(sixteenth(offset(at: next))), phase: .dragging))
                frame("dragging")
                if random.chance(4) { request() }
            }
            if random.chance(5) { wait(random.pick(700, 2600, 6000), resting: true) }
        }
        let choice = random.below(12)
        let velocity = direction * random.pick(0, 0, -1200, 2000)
        move(
            HandSample(
                t: t, .offset(offset), phase: choice == 0 ? .cancelled : .ended, velocity: velocity)
        )
        frame("left")
        coast(fling: random.pick(0, 0, 0, 300, -300, 1200))
    }

    /// Waits while a finger rests on the list.
    private func wait(_ ms: Double, resting: Bool) {
        var left = ms
        while left > 0 {
            pass(100)
            compare("resting")
            left -= 100
        }
    }

    /// The list coasts and comes to rest within its range.
    private func coast(fling: Double) {
        let catches = random.chance(8)
        let steps = 1 + random.below(4)
        let from = place
        for step in 1...steps {
            let goal = clamped(from + fling)
            let next = from + (goal - from) * Double(step) / Double(steps)
            move(
                HandSample(t: t, .offset(sixteenth(offset(at: next))), phase: .decelerating))
            frame("coasting")
            if catches, step == steps / 2 {
                isCaught = true
                return
            }
        }
        move(HandSample(t: t, .offset(sixteenth(offset(at: clamped(place)))), phase: .idle))
        compare("idle")
    }

    /// Returns the position, limited to the range in which the platform lets the list rest.
    private func clamped(_ place: Double) -> Double {
        let shares = stream.picture.insets
        let share = shares[attach.refreshEdge] ?? 0
        let more = shares[attach.loadMoreEdge] ?? 0
        return min(max(place, -share), max(endPlace + more, -share))
    }

    private func wheel() {
        followCommands()
        guard !attach.pans else { return }
        let cause: Cause = random.pick(.wheel, .key, .code)
        let goal = clamped(target())
        let from = place
        // A program moves the list with one sample or over several frames.
        let isJump = cause == .code && Int(goal) % 2 == 0
        if isJump { offset = sixteenth(self.offset(at: goal)) }
        for step in 1...3 where !isJump {
            let next = from + (goal - from) * Double(step) / 3
            move(
                HandSample(
                    t: t, .offset(sixteenth(offset(at: next))), phase: .decelerating, cause: cause))
            frame("\(cause)")
        }
        move(HandSample(t: t, .offset(offset), phase: .idle, cause: cause))
        compare("idle")
    }

    // MARK: Panning

    private func pan() {
        followCommands()
        var travel = 0.0
        move(HandSample(t: t, .travel(0), phase: .began))
        frame("began")
        for _ in 0...random.below(3) {
            followCommands()
            // The finger travels up to twice as far, because of the resistance.
            let way = -(target() - place) * direction * random.pick(1, 2)
            let most = attach.viewport * 1.5
            let goal = min(max(travel + way, -most), most)
            let steps = 1 + random.below(4)
            let from = travel
            for step in 1...steps {
                travel = sixteenth(from + (goal - from) * Double(step) / Double(steps))
                move(HandSample(t: t, .travel(travel), phase: .dragging))
                frame("panning")
                if random.chance(4) { request() }
            }
            if random.chance(5) { wait(random.pick(700, 2600), resting: true) }
        }
        let velocity = direction * random.pick(0, 0, -900, 1500, 3000)
        let isCancelled = random.below(12) == 0
        if isCancelled { travel += velocity / 100 }
        move(
            HandSample(
                t: t, .travel(travel), phase: isCancelled ? .cancelled : .ended, velocity: velocity)
        )
        frame("let go")
    }

    // MARK: Requests

    private func request() {
        switch random.below(8) {
        case 0, 1: sendCommand("refresh")
        case 2: sendCommand("loadMore")
        case 3: sendCommand("cancel")
        case 4: sendCommand("begin")
        case 5: sendCommand("end")
        case 6:
            attach.content += random.pick(0, 400, -100)
            sendGeometry()
        default: sendCommand("retry")
        }
        compare("request")
    }

    private func sendCommand(_ type: String) {
        guard type != "retry" else { return }
        let isThere = attach.members.last { $0.name == edge(of: type) }?.value != .null
        guard isThere else { return }
        send(.object([.init("type", .string(type))]))
    }

    private func edge(of type: String) -> String {
        type == "loadMore" ? attach.loadMoreEdge : attach.refreshEdge
    }
}
