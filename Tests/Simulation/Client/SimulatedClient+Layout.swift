import RefreshProtocol
import ScenarioKit

// How a client that reads a model list (`ModelList`) lays out its items, so that the item that is
// read stays in its place. Source: docs/protocol.md, "Refresh at depth" and "Anchors".
extension SimulatedClient {
    /// The distance from the start within which a list shows its new items, in points.
    private static let startZone = 1.0
    /// The length of the longest room of an indicator in these worlds, in points.
    private static let roomMax = 110.0

    /// Lays the received items out after a random delay.
    func scheduleLayout(viewAt index: Int, after delay: ClosedRange<Double> = 0...20) {
        guard views[index].reader?.isLayoutScheduled == false else { return }
        views[index].reader?.isLayoutScheduled = true
        let name = views[index].name
        after(generator.milliseconds(delay.lowerBound, delay.upperBound)) { client in
            guard let index = client.index(of: name) else { return }
            client.views[index].reader?.isLayoutScheduled = false
            // The list is laid out when no finger and no command moves it.
            guard !client.isMoving, !client.views[index].hand.isAnimating(at: client.t) else {
                return client.scheduleLayout(viewAt: index, after: 20...40)
            }
            client.layOut(viewAt: index)
        }
    }

    private func layOut(viewAt index: Int) {
        guard views[index].isAttached, let reader = views[index].reader else { return }
        let old = reader.layout
        let offset = views[index].hand.offset(at: t)
        // The offset at which the list would be if all commands had arrived.
        let place = reader.pinnedOffset ?? offset
        let new = ListLayout(reader.items)
        views[index].reader?.layout = new
        guard place > Self.startZone, let top = old.indexAtTop(of: place),
            let held = Self.nearest(to: top, of: old, in: new)
        else { return reportLayout(viewAt: index) }
        let (oldPosition, newPosition) = (old.position(at: held.old), new.position(at: held.new))
        let number = old.items[held.old].number
        var messages: [JSONValue] = []
        if reader.anchor?.number != number || reader.anchor?.position != oldPosition {
            messages.append(anchorMessage(number, at: oldPosition, members: []))
        }
        let target = newPosition - (oldPosition - place)
        // A list cannot rest beyond its range.
        let bounded = views[index].bounded(target)
        var members: [JSONValue.Member] = [.init("content", views[index].contentSize)]
        if reader.keepsPlace {
            members.append(.init("offset", .number(bounded)))
        }
        messages.append(anchorMessage(number, at: newPosition, members: members))
        let prepared = messages.flatMap { prepare($0, viewAt: index) }
        if reader.keepsPlace { views[index].hand.place(at: bounded) }
        // If a list that was moved to its end grows before the daemon's command has arrived, its
        // place is not known. The place becomes known when the daemon has handled this layout.
        let end = max(old.length - ShownView.viewport, 0)
        let isKnown =
            ackHere >= reader.unknownPlaceSeq && (reader.pin == nil || (0...end).contains(place))
        if isKnown {
            let screenY = newPosition - target
            views[index].reader?.hold(.init(seq: seq, number: number, screenY: screenY))
        } else {
            views[index].reader?.losePlace(until: seq)
        }
        send(prepared)
        simulation.count("anchor", target == place ? "at its place" : "moved")
        pingSoon()
    }

    /// Of the items in both lists, the item that is nearest in the old list to the item at `top`.
    private static func nearest(
        to top: Int, of old: ListLayout, in new: ListLayout
    ) -> (old: Int, new: Int)? {
        var indices: [Int: Int] = [:]
        for (index, item) in new.items.enumerated() where ListReader.isUnique(item, in: new) {
            indices[item.number] = index
        }
        for distance in 0..<old.items.count {
            for index in [top + distance, top - distance] where old.items.indices.contains(index) {
                guard let other = indices[old.items[index].number],
                    ListReader.isUnique(old.items[index], in: old)
                else { continue }
                return (index, other)
            }
        }
        return nil
    }

    /// Reports a layout in which no item stays in its place.
    private func reportLayout(viewAt index: Int) {
        views[index].reader?.attach()
        var members: [JSONValue.Member] = [
            .init("type", .string("geometry")), .init("content", views[index].contentSize),
        ]
        if mode == .plain {
            let bounded = views[index].bounded(views[index].hand.offset(at: t))
            views[index].hand.place(at: bounded, reportedBy: seq + 1)
            members.append(.init("offset", .number(bounded)))
        }
        send(.object(members), viewAt: index)
        if mode != .plain { returnToRange(viewAt: index) }
        pingSoon()
    }

    /// The platform returns the list to its range, because the content has become shorter.
    private func returnToRange(viewAt index: Int) {
        let offset = views[index].hand.offset(at: t)
        let bounded = views[index].bounded(offset)
        guard offset != bounded else { return }
        let sample = HandSample(t: t, .offset(bounded), phase: .idle)
        send(views[index].hand.move(sample, seq: &seq))
    }

    /// Reports the item at the top of the screen, because the list has come to rest.
    func reportAnchor(viewAt index: Int) {
        guard views[index].isAttached, let reader = views[index].reader else { return }
        let offset = views[index].hand.offset(at: t)
        guard offset > Self.startZone, let top = reader.layout.indexAtTop(of: offset),
            ListReader.isUnique(reader.layout.items[top], in: reader.layout)
        else { return }
        send(
            prepare(
                anchorMessage(
                    reader.layout.items[top].number, at: reader.layout.position(at: top),
                    members: []),
                viewAt: index))
        pingSoon()
    }

    private func anchorMessage(
        _ number: Int, at position: Double, members: [JSONValue.Member]
    ) -> JSONValue {
        .object(
            [.init("type", .string("geometry"))] + members + [
                .init(
                    "anchor",
                    .object([
                        .init("id", .string("i\(number)")), .init("position", .number(position)),
                    ]))
            ])
    }

    /// Returns the messages to send for `message`. Records the anchor that `message` contains.
    private func prepare(_ message: JSONValue, viewAt index: Int) -> [JSONValue] {
        if let id = message["anchor"]?["id"]?.string, let number = Int(id.dropFirst()),
            let position = message["anchor"]?["position"]?.number
        {
            views[index].reader?.anchor = (number, position)
        }
        return views[index].hand.prepareMessage(message, at: t, seq: &seq)
    }

    /// Asks the daemon for an `ack`, so that the place of the list can be checked.
    private func pingSoon() {
        after(50) { client in
            guard case .open(let connection) = client.link else { return }
            client.write(
                [.object([.init("type", .string("ping")), .init("t", .number(client.t))])],
                on: connection)
        }
    }

    /// Moves each list so that its pinned item is in its place, as the platform does. The
    /// connection was lost, so no command of the daemon will do it.
    func settlePins() {
        for index in views.indices {
            if let target = views[index].reader?.pinnedOffset {
                views[index].hand.place(at: views[index].bounded(target))
            }
            // The next `hello` reports the place of each list.
            views[index].reader?.losePlace(until: 0)
        }
    }

    /// Checks that the pinned item is in its place, if the daemon has handled its new position.
    func checkPin(viewAt index: Int) {
        let view = views[index]
        guard let pin = view.reader?.pin, let target = view.reader?.pinnedOffset,
            ackHere >= pin.seq, !view.hand.isAnimating(at: t)
        else { return }
        views[index].reader?.releasePin()
        let offset = view.hand.offset(at: t)
        simulation.count("anchor", "checked")
        // A list whose content has become too short rests at its end, with or without a room. A
        // list that was beyond its range stays beyond it. If the content is not longer than the
        // viewport, the list also rests at its start, where a room can open.
        let length = view.contentLength - ShownView.viewport
        let end = length > 0 ? length : -Self.roomMax
        let isAtEnd =
            target > end
            ? (end...max(target, max(end, 0) + Self.roomMax)).contains(offset)
            : target < 0 && (-Self.roomMax...0).contains(offset)
        guard abs(offset - target) > 0.5, !isAtEnd else { return }
        broken(
            BrokenRule(
                .place,
                "the list is at \(offset), but item \(pin.number) keeps its place at \(target)"),
            viewAt: index)
    }
}

extension ShownView {
    /// The nearest offset at which the list can rest.
    func bounded(_ offset: Double) -> Double {
        min(max(offset, rest.lowerBound), rest.upperBound)
    }

    var contentSize: JSONValue { geometry["content"] ?? .null }
}
