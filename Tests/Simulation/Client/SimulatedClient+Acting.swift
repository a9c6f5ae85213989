import RefreshProtocol
import ScenarioKit

// The actions of a client's user.
extension SimulatedClient {
    struct GestureStep {
        var pause: Double
        var position: HandSample.Position
        var phase: ScrollPhase
        var cause = Cause.finger
        var velocity = 0.0
    }

    func scheduleAction() {
        after(generator.milliseconds(20, 700)) { $0.act() }
    }

    private func act() {
        guard !simulation.isQuiet, actionsLeft > 0 else {
            isSettled = true
            return
        }
        guard !isMoving else { return scheduleAction() }
        actionsLeft -= 1
        let index = generator.below(views.count)
        let kind = generator.below(100)
        let isAttached = views[index].isAttached
        if views[index].reader != nil {
            if isAttached || kind >= 72 { actAsReader(kind, viewAt: index) }
            return scheduleAction()
        }
        switch kind {
        case ..<20 where isAttached: pull(viewAt: index)
        case ..<32 where isAttached: fling(viewAt: index)
        case ..<38 where isAttached: wheel(viewAt: index)
        case ..<42 where isAttached && mode == .plain: pan(viewAt: index)
        case ..<72 where isAttached: sendRandomIntent(viewAt: index)
        case ..<75 where mode == .plain: reattach(viewAt: index)
        case ..<80: connection?.freeze(milliseconds: generator.milliseconds(50, 4000))
        case ..<86: hangUp()
        case ..<92: connectElsewhere()
        default: break
        }
        scheduleAction()
    }

    /// Sends a random message that expresses an intent of the user.
    private func sendRandomIntent(viewAt index: Int) {
        var members: [JSONValue.Member] = []
        switch generator.below(12) {
        case 0, 1, 2: members = [.init("type", .string("refresh"))]
        case 3, 4, 5, 6: members = [.init("type", .string("loadMore"))]
        case 7: members = [.init("type", .string("retry"))]
        case 8: members = [.init("type", .string("cancel"))]
        case 9: members = [.init("type", .string("reset"))]
        case 10: members = [.init("type", .string("appear"))]
        default:
            members = [
                .init("type", .string("configure")),
                .init(
                    "top",
                    .object([.init("minVisible", .number(Double(generator.below(300))))])),
            ]
        }
        simulation.count("sent", members[0].value.string ?? "?")
        send(.object(members), viewAt: index)
    }

    /// The client opens a new connection, possibly to another daemon, while its old connection
    /// still works.
    func connectElsewhere() {
        guard let connection else { return }
        simulation.count("action", "connects elsewhere")
        let left = if case .open = link { session?.name } else { nil as String? }
        after(10_000) { client in
            if let left, left == client.session?.name, client.isResumed,
                case .open(let other) = client.link, connection.isOutlived(by: other)
            {
                client.fail("resumed its session, but its old connection is still open")
            }
            connection.drop()
        }
        connectionLost(connection, code: nil)
    }

    /// Detaches the view and attaches it again.
    func reattach(viewAt index: Int) {
        guard case .open = link else { return closePage(index) }
        guard views[index].isAttached else { return }
        let name = views[index].name
        seq += 1
        send([
            .object([
                .init("type", .string("detach")), .init("view", .string(name)),
                .init("seq", .number(Double(seq))),
            ])
        ])
        outbox.forget(view: name)
        views[index].forget(hand: hand(of: name))
        seq += 1
        if views.count == 1 {
            seqOfReattach = seq
            daemonOfReattach = simulation.daemons[daemonIndex]
        }
        send([views[index].body(seq: seq, at: t)])
        after(generator.milliseconds(5, 300)) { client in
            guard let index = client.index(of: name), client.views[index].isAttached,
                client.views[index].reader?.getsFirstItems != true
            else { return }
            client.send(.object([.init("type", .string("refresh"))]), viewAt: index)
        }
        simulation.count("sent", "detach")
    }

    /// Removes the view while there is no connection, so the next `hello` does not name it.
    private func closePage(_ index: Int) {
        guard case .offline = link, views.count > 1 else { return }
        simulation.count("action", "closes a page")
        outbox.forget(view: views[index].name)
        views.remove(at: index)
    }

    // MARK: Gestures

    func pull(viewAt index: Int) {
        let rest = views[index].rest.lowerBound
        let depth = generator.pick([40.0, 75, 90, 170])
        let end = generator.pick([ScrollPhase.ended, .ended, .ended, .cancelled])
        var steps = [GestureStep(pause: 0, position: .offset(rest), phase: .began)]
        for part in [0.3, 0.7, 1] {
            steps.append(
                GestureStep(pause: 16, position: .offset(rest - part * depth), phase: .dragging))
        }
        steps.append(GestureStep(pause: 16, position: .offset(rest - depth), phase: end))
        play(steps, viewAt: index)
    }

    func fling(viewAt index: Int) {
        let offset = views[index].hand.offset(at: t)
        let last = views[index].rest.upperBound
        play(
            [
                GestureStep(pause: 0, position: .offset(offset), phase: .began),
                GestureStep(pause: 16, position: .offset(offset + 30), phase: .dragging),
                GestureStep(pause: 16, position: .offset(offset + 70), phase: .dragging),
                GestureStep(
                    pause: 16, position: .offset(offset + 70), phase: .ended, velocity: 1500),
                GestureStep(
                    pause: 40, position: .offset(max(offset + 70, (offset + last) / 2)),
                    phase: .decelerating),
                GestureStep(
                    pause: 60, position: .offset(max(offset + 70, last)), phase: .decelerating),
            ], viewAt: index)
    }

    func wheel(viewAt index: Int) {
        let offset = views[index].hand.offset(at: t)
        let last = views[index].rest.upperBound
        play(
            [
                GestureStep(
                    pause: 0, position: .offset((offset + last) / 2), phase: .decelerating,
                    cause: .wheel
                ),
                GestureStep(
                    pause: 16, position: .offset(last), phase: .decelerating, cause: .wheel),
            ], viewAt: index)
    }

    /// Pans with a finger. The daemon turns the movement of the finger into movement of the list.
    private func pan(viewAt index: Int) {
        let distance = generator.pick([180.0, 90, -120])
        var steps = [GestureStep(pause: 0, position: .travel(0), phase: .began)]
        for part in [0.3, 0.7, 1] {
            steps.append(
                GestureStep(pause: 16, position: .travel(part * distance), phase: .dragging))
        }
        steps.append(
            GestureStep(
                pause: 16, position: .travel(distance), phase: .ended,
                velocity: generator.pick([0, -800])))
        play(steps, viewAt: index)
    }

    func play(_ steps: [GestureStep], viewAt index: Int) {
        isMoving = true
        let name = views[index].name
        views[index].reader?.releasePin()
        simulation.count("gesture", steps[0].cause.rawValue)
        step(steps[...], of: name)
    }

    private func step(_ steps: ArraySlice<GestureStep>, of name: String) {
        guard let step = steps.first else {
            return after(generator.milliseconds(20, 200)) { $0.comeToRest(name) }
        }
        after(step.pause) { client in
            guard let index = client.index(of: name) else { return }
            client.move(step, viewAt: index)
            client.step(steps.dropFirst(), of: name)
        }
    }

    private func move(_ step: GestureStep, viewAt index: Int) {
        let sample = HandSample(
            t: t, step.position, phase: step.phase, cause: step.cause, velocity: step.velocity)
        send(views[index].hand.move(sample, seq: &seq))
    }

    /// Sends the sample with which the list comes to rest within its range.
    private func comeToRest(_ name: String) {
        isMoving = false
        guard let index = index(of: name) else { return }
        let offset = views[index].hand.offset(at: t)
        let rest = views[index].rest
        let target = min(max(offset, rest.lowerBound), rest.upperBound)
        move(GestureStep(pause: 0, position: .offset(target), phase: .idle), viewAt: index)
        reportAnchor(viewAt: index)
    }
}
