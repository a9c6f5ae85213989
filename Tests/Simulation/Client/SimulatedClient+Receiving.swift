import RefreshProtocol

// Handles the messages that a client receives. A message that a daemon must not send is a failure
// of the test.
extension SimulatedClient {
    /// The faults that a correct client can receive because of a race or a network failure.
    private static let harmless: Set = [
        "staleSequence", "staleGeneration", "unknownLoad", "nothingToRetry", "unknownView",
        "viewExists", "slowClient", "idleClient", "sessionTaken", "draining", "tooManySessions",
        "helloTimeout",
    ]

    func receive(_ frame: [UInt8], on connection: SimulatedConnection) {
        guard self.connection === connection else { return }
        simulation.record(frame, of: number, up: false)
        lastReceived = simulation.agenda.now
        guard let value = try? JSONValue(parsing: frame) else {
            return fail("received invalid JSON: \(String(decoding: frame, as: UTF8.self))")
        }
        let messages = value.array ?? [value]
        guard replay == nil else { return receiveReplayed(messages, on: connection) }
        beginFrame(messages)
        for message in messages {
            handle(message, on: connection)
            recordAck(message)
        }
        // An update is encoded when it is sent. Messages that were encoded earlier can follow the
        // update in the same frame, with a lower `ack`. Therefore, only the highest `ack` of a
        // frame is compared with the highest `ack` of earlier frames.
        if let highest = messages.compactMap({ $0["ack"]?.number.map { Int($0) } }).max() {
            if highest < ackHere { fail("received ack \(highest) after \(ackHere)") }
            ackHere = highest
        }
        // An attached view without a list has no items: the daemon handled a reset of the view, but
        // its answer was lost.
        for index in views.indices where views[index].isAttached && views[index].list == nil {
            views[index].clear()
        }
        for view in views { check(view) }
        for index in views.indices where views[index].reader != nil { checkReader(viewAt: index) }
    }

    private func recordAck(_ message: JSONValue) {
        guard let number = message["ack"]?.number else { return }
        let received = Int(number)
        if received > seq { fail("received ack \(received) but sent only \(seq)") }
        ack = max(ack, received)
        if let seqOfReattach, received >= seqOfReattach { self.seqOfReattach = nil }
        outbox.handled(upTo: snapshot == nil ? ack : snapshotAck)
    }

    private func handle(_ message: JSONValue, on connection: SimulatedConnection) {
        guard let type = message["type"]?.string else {
            return fail("received a message without a type: \(message.text)")
        }
        switch type {
        case "welcome": return welcome(message, on: connection)
        case "snapshot":
            snapshot = message["sealed"]?.string
            snapshotToken = session?.token
            snapshotAck = Int(message["ack"]?.number ?? 0)
            simulation.count("snapshot", snapshot == nil ? "none" : "sealed")
            return
        case "error":
            let code = message["code"]?.string ?? "?"
            simulation.count("fault", code)
            if !Self.harmless.contains(code) {
                fail("received an unexpected fault: \(message.text)")
            }
            return
        case "pong", "draining", "bye": return
        default: break
        }
        guard let name = message["view"]?.string, let index = index(of: name) else {
            // The client has detached the view. The daemon can have sent this message before it
            // handled `detach`.
            return
        }
        switch type {
        case "attached":
            views[index].attach(message)
            views[index].reader?.attach()
            views[index].hand.receive(message, at: t)
        case "update":
            guard views[index].isAttached else { return }
            views[index].update(message)
            views[index].hand.receive(message, at: t)
            guard message["list"] != nil else { return }
            if views[index].reader == nil {
                laidOut(viewAt: index)
            } else {
                scheduleLayout(viewAt: index)
            }
        case "load": answer(message, viewAt: index)
        case "loading": handleLoading(message, viewAt: index)
        case "items": acceptItems(message, viewAt: index)
        default: fail("received the unknown message type \(type)")
        }
    }

    private func handleLoading(_ message: JSONValue, viewAt index: Int) {
        // A refresh that waits for another load has no load yet.
        if message["phase"]?.string == "joined", views[index].reader != nil { return }
        guard let load = message["load"]?.string, let phase = message["phase"]?.string else {
            return fail("received a `loading` message without a load: \(message.text)")
        }
        simulation.count("loading", phase)
        // The states of loads that the client itself performs are not checked.
        guard isOfView(load, index), views[index].feed != nil else { return }
        switch phase {
        case "began":
            if let state = views[index].loads[load] {
                switch state {
                case .running: fail("load \(load) began twice")
                case .ended: fail("load \(load) began after it had ended")
                case .unsure: simulation.count("interrupted load", "continued")
                case .past: break
                }
            }
            views[index].loads[load] = .running
            recordReaderLoad(message, load, viewAt: index)
        case "progress", "retrying": break
        case "failed" where simulation.plan.troubles == 0,
            "timedOut" where simulation.plan.troubles == 0:
            fail(.load, "load \(load) has \(phase), although its backend was healthy")
        case "failed", "cancelled", "timedOut": end(load, viewAt: index)
        default: fail("received the unknown load phase \(phase)")
        }
    }

    /// Whether the load belongs to the current generation of the view, not to an earlier view with
    /// the same name.
    private func isOfView(_ load: String, _ index: Int) -> Bool {
        guard let generation = views[index].generation else { return false }
        return load.hasPrefix("\(generation).")
    }

    private func end(_ load: String, viewAt index: Int) {
        switch views[index].loads[load] {
        case .unsure: simulation.count("interrupted load", "ended")
        case .running, .past: break
        case .ended: fail("load \(load) ended twice")
        // If the session was resumed, the message about the beginning of the load can have been
        // lost.
        case nil: if !isResumed { fail("load \(load) ended before it began") }
        }
        views[index].loads[load] = .ended
    }

    private func acceptItems(_ message: JSONValue, viewAt index: Int) {
        guard let load = message["load"]?.string, let items = message["items"]?.array else {
            return fail("received items without a load: \(message.text)")
        }
        guard isOfView(load, index) else { return }
        end(load, viewAt: index)
        if !views[index].accepted.insert(load).inserted {
            fail(.items, "received the items of \(load) twice")
        }
        let numbers = items.compactMap { $0["k"]?.number.map { Int($0) } }
        if numbers.count != Int(message["count"]?.number ?? -1) {
            fail(
                "received \(numbers.count) items of \(load), `count` is \(message["count"] as Any)"
            )
        }
        switch message["mode"]?.string {
        case "replace":
            views[index].items = numbers
            let answer = items.first?["c"]?.number.map { Int($0) }
            views[index].answeredAt =
                answer.flatMap { simulation.backends.ledger.answers[$0]?.moment }
        case "append", "prepend": views[index].items += numbers
        default: fail("received items with an unknown mode: \(message.text)")
        }
        views[index].received = load
        simulation.count("items", message["mode"]?.string ?? "?")
        guard views[index].reader == nil else {
            return acceptModelItems(message, load, viewAt: index)
        }
        simulation.checkKey(
            items.first?["c"]?.number.map { Int($0) }, load, of: self, viewAt: index)
    }

    /// Checks the conditions that must hold after each frame. Each frame is one transaction.
    private func check(_ view: ShownView) {
        // With an old token that this client sent deliberately, it reaches a session whose list it
        // had before another daemon rebuilt the session.
        guard view.feed != nil, view.isAttached, !hasErred || simulation.plan.daemons == 1 else {
            return
        }
        if let list = view.list, list.count != view.items.count {
            fail(
                .items,
                "\(view.name) has \(view.items.count) items, but the daemon reported \(list.count)")
        }
        guard let feed = view.feed.flatMap({ SimulatedFeed.Kind(rawValue: $0) }) else { return }
        guard feed == .live else {
            if view.items != Array(0..<view.items.count) {
                fail(.items, "\(view.name) shows \(view.items)")
            }
            return
        }
        if simulation.plan.remembersItems, Set(view.items).count != view.items.count {
            fail(.items, "\(view.name) shows items twice: \(view.items)")
        }
    }

    // MARK: Answering

    /// Reports the new layout of the list after a random delay.
    private func laidOut(viewAt index: Int) {
        let name = views[index].name
        after(generator.milliseconds(1, 20)) { client in
            guard let index = client.index(of: name), client.views[index].isAttached else { return }
            let view = client.views[index]
            let offset = view.hand.offset(at: client.t)
            let bounded = min(max(offset, view.rest.lowerBound), view.rest.upperBound)
            guard case .object(var members) = view.geometry else { return }
            members.insert(.init("type", .string("geometry")), at: 0)
            if !client.isMoving, client.mode == .plain {
                members.append(.init("offset", .number(bounded)))
            }
            client.send(.object(members), viewAt: index)
        }
    }

    /// Answers a load for which the client itself is the backend.
    private func answer(_ message: JSONValue, viewAt index: Int) {
        guard let load = message["load"]?.string, isOfView(load, index) else { return }
        guard !outbox.hasAnswer(to: load) else { return }
        let name = views[index].name
        if generator.chance(50) {
            send(
                .object([.init("type", .string("loadBegan")), .init("load", .string(load))]),
                viewAt: index)
        }
        let isGood = simulation.isQuiet || generator.chance(70)
        after(generator.milliseconds(5, simulation.isQuiet ? 50 : 1500)) { client in
            guard let index = client.index(of: name), client.isOfView(load, index) else { return }
            client.send(
                .object([
                    .init("type", .string("loadFinished")), .init("load", .string(load)),
                    .init("result", .string(isGood ? "success" : "failed")),
                    .init("count", .number(8)), .init("more", .bool(true)),
                ]), viewAt: index)
        }
    }
}
