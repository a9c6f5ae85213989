import RefreshProtocol
import ScenarioKit

/// What the checks of model lists need to know of the frame that a client is handling.
struct ReceivedFrame {
    /// The largest `ack` of this frame and of earlier frames of the connection.
    var ack = 0
    /// The largest `ack` of earlier frames of the connection.
    var previousAck = 0
    /// The views that this frame attaches, or for which it contains items.
    var renewedViews: Set<String> = []
    /// The items of the views before the frame.
    var items: [String: [ModelItem]] = [:]
}

// Handles the messages about the views of model lists, and checks the rules for these views.
extension SimulatedClient {
    func beginFrame(_ messages: [JSONValue]) {
        guard simulation.plan.readers != nil else { return }
        frame = ReceivedFrame()
        frame.previousAck = ackHere
        frame.ack = messages.reduce(ackHere) { max($0, $1["ack"]?.wholeNumber ?? 0) }
        for message in messages {
            guard let view = message["view"]?.string else { continue }
            switch message["type"]?.string {
            case "items", "attached": frame.renewedViews.insert(view)
            default: break
            }
        }
        for view in views { frame.items[view.name] = view.reader?.items }
    }

    /// Checks the rules that must hold after each frame.
    func checkReader(viewAt index: Int) {
        guard let reader = views[index].reader, let before = frame.items[views[index].name] else {
            return
        }
        if views[index].isAttached, reader.items.map(\.number) != views[index].items {
            fail("\(views[index].name) has items that do not come from the model")
        }
        if reader.items.isEmpty, !before.isEmpty, !frame.renewedViews.contains(views[index].name) {
            // If the list was emptied, a message of the client itself must be the cause.
            let isOwn = reader.clearing.contains {
                $0 <= frame.ack && $0 > reader.ackOfList
            }
            if !isOwn {
                broken(
                    BrokenRule(.wholeness, "the list with \(before.count) items was emptied"),
                    viewAt: index)
            }
        }
        if reader.items != reader.layout.items { scheduleLayout(viewAt: index) }
        checkPin(viewAt: index)
    }

    /// Records a load that began, and the pages in sight at that time.
    func recordReaderLoad(_ message: JSONValue, _ load: String, viewAt index: Int) {
        let view = views[index]
        guard let reader = view.reader, reader.loads[load] == nil else { return }
        var began = ListReader.Load(
            pages: message["pages"]?.wholeNumber ?? 1, cause: message["cause"]?.string ?? "",
            depth: reader.options.depth, pagesToEnd: reader.skippedPages + reader.pages)
        // If the daemon had handled all messages of the client, both knew the same sizes and the
        // same offset.
        if !isResumed, !isMoving, frame.previousAck >= sent, reader.continuesList,
            reader.layout.items == reader.items, !view.hand.isAnimating(at: t)
        {
            began.sight = reader.pagesInSight(
                at: view.hand.offset(at: t), viewport: ShownView.viewport)
        }
        views[index].reader?.loads[load] = began
    }

    func acceptModelItems(_ message: JSONValue, _ load: String, viewAt index: Int) {
        guard var reader = views[index].reader, let readers = simulation.plan.readers,
            let lists = simulation.backends.lists, let session
        else { return }
        guard let received = ReceivedItems(message) else {
            return fail("received items that no model has: \(message.text)")
        }
        let context = ReaderContext(
            ledger: simulation.backends.ledger, lists: lists, plan: simulation.plan,
            readers: readers, load: "\(session.name)-\(load)", ack: frame.ack)
        do {
            try reader.accept(received, of: reader.loads[load], in: context)
        } catch {
            broken(error, viewAt: index)
        }
        views[index].reader = reader
        let pages = reader.loads[load]?.pages ?? 1
        simulation.count("items", pages > 1 ? "of several pages" : "of one page")
        if reader.loads[load]?.sight != nil, received.isReplacing {
            simulation.count("place", "refresh with known sight")
        }
        scheduleLayout(viewAt: index)
    }

    func broken(_ rule: BrokenRule, viewAt index: Int) {
        simulation.fail(
            "[\(rule.rule.rawValue)] client \(number), \(views[index].name): \(rule.text)")
    }
}
