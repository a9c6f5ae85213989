import RefreshBroker
import RefreshClient
import RefreshProtocol

/// A finger on the list.
struct LiveFinger {
    /// The number of the sample with which it touched the list.
    let seq: Int
    /// Whether the connection has been lost since, so that the daemon may have released it.
    private(set) var isReleased = false

    init(seq: Int) { self.seq = seq }

    mutating func end() { isReleased = true }
}

// What the user of a live list does.
extension LiveClient {
    func scheduleAction() {
        guard actionsLeft > 0 else { return }
        after(generator.milliseconds(20, 900)) { client in
            guard client.actionsLeft > 0 else { return }
            client.actionsLeft -= 1
            client.act()
            client.scheduleAction()
        }
    }

    /// Ends all actions: the finger leaves the screen, the app is in the foreground, and the
    /// network works. A client that waits before its next attempt therefore connects at once.
    /// Otherwise its edits could reach the feed after the other clients have refreshed their lists.
    func settle() {
        actionsLeft = 0
        liftFinger()
        change { $0.resume(at: now) }
        change { $0.networkBecameAvailable(at: now) }
    }

    private func act() {
        switch generator.below(20) {
        case 0..<8: makeEdit()
        case 8: undo()
        case 9, 10: send("loadMore")
        case 11: send("refresh")
        case 12: send("reveal")
        case 13, 14: finger == nil ? touch() : liftFinger()
        case 15, 16: scroll()
        case 17: change { $0.suspend(at: now) }
        case 18 where generator.chance(40): restart()
        default: change { $0.resume(at: now) }
        }
    }

    // MARK: Edits

    private func makeEdit() {
        guard let board = simulation.backends.board else { return }
        let items = shown.items
        func randomKey() -> JSONValue {
            let item = items.isEmpty ? .null : generator.pick(items)
            return item["id"] ?? .number(Double(1 + generator.below(plan.count + 1)))
        }
        let key = randomKey()
        let other = randomKey()
        let place: EditOperation.Place =
            key == other || generator.chance(40)
            ? .start : generator.chance(50) ? .before(other) : .after(other)
        func item(_ key: JSONValue) -> JSONValue {
            .object([.init("id", key), .init("v", .number(Double(board.nextVersion())))])
        }
        let operation: EditOperation =
            switch generator.pick(plan.kinds) {
            case .insert, .refresh:
                .insert(item(.number(Double(number * 100_000 + edits.count + 10_000))), place)
            case .update: .update(item(key))
            case .remove: .remove(key)
            case .move: key == other ? .remove(key) : .move(key, place)
            }
        edit(operation, delayMs: generator.chance(20) ? 200 + generator.below(2000) : 0)
    }

    private func undo() {
        guard let edit = shown.pendingEdits.first?.id else { return }
        change { $0.undo(Self.view, edit, at: now) }
    }

    // MARK: Touch

    private func sample(_ phase: String, at offset: Double) {
        send(
            "scroll",
            [
                .init("offset", .number(offset)), .init("phase", .string(phase)),
                .init("t", .number(now)),
            ])
    }

    private func touch() {
        guard isOpen, finger == nil, !isMoving else { return }
        // A command of the daemon that is on its way is outdated by the touch.
        screen.forgetPin()
        sample("began", at: shown.offset.target)
        finger = LiveFinger(seq: seq)
        simulation.count("live", "touches")
    }

    func liftFinger() {
        guard finger != nil else { return }
        finger = nil
        let offset = shown.offset.target
        sample("ended", at: offset)
        sample("idle", at: offset)
        scheduleLayout()
    }

    func scrollToStart() {
        if isOpen { scroll(to: 0) }
    }

    /// Scrolls to a random place.
    private func scroll() {
        guard finger == nil, !isMoving else { return }
        scroll(to: generator.milliseconds(0, max(screen.range.upperBound, 1)).rounded())
    }

    private func scroll(to target: Double) {
        screen.forgetPin()
        sample("began", at: shown.offset.target)
        sample("dragging", at: target)
        sample("ended", at: target)
        sample("idle", at: target)
        screen.hasMoved = isOpen
        reportAnchor()
    }

    var isMoving: Bool {
        let motion = shown.offset
        return motion.duration > 0 && now < motion.start + motion.duration
    }

    // MARK: Rules

    /// Checks that no operations arrive that the daemon has sent while a finger was down.
    func checkFinger(_ message: JSONValue) {
        guard let finger, !finger.isReleased, message["type"]?.string == "items",
            message["operations"] != nil
        else { return }
        simulation.count("live", "operations with a finger")
        if ack >= finger.seq { broken(.finger, "live items are shown under a finger") }
    }

    /// Checks that each item is shown once.
    func checkItems() {
        let items = shown.items
        let keys = Set(items.compactMap { $0["id"]?.text })
        if keys.count != items.count {
            broken(.list, "shows an item twice: \(items.map(\.text).joined())")
        }
        if screen.items != items { scheduleLayout() }
    }

    func broken(_ rule: LiveRule, _ what: String) {
        simulation.fail("[\(rule.rawValue)] client \(number): \(what)")
    }
}
