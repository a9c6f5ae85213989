import RefreshProtocol

/// Views that are attached and detached while the client has a connection.
extension ClientMachine {
    /// A view that is attached or detached after `hello`. Its number is reserved; the message
    /// itself is built when it is sent, so that an `attach` has the sizes of that time.
    struct LateChange: Hashable, Sendable {
        enum Kind: String { case attach, detach }

        var kind: Kind
        var view: String
        var seq: UInt64
    }

    /// The views whose `attach` waits for `welcome`.
    var lateViews: Set<String> {
        Set(lateChanges.filter { $0.kind == .attach }.map(\.view))
    }

    /// The message that attaches or detaches a view; nil for an `attach` of an unknown view.
    func message(for change: LateChange) -> JSONValue? {
        var message = Self.message(change.kind.rawValue, change.view)
        if change.kind == .attach {
            guard let index = viewIndex(change.view) else { return nil }
            message = views[index].description(resumes: false)
            // The messages of the queries follow, and can be refused.
            if let pending = queries[change.view] { message["parameters"] = pending.accepted }
            message["type"] = .string(change.kind.rawValue)
        }
        message["seq"] = .number(Double(change.seq))
        return message
    }

    /// Attaches a view after `welcome`, because the session may still have an earlier view of its
    /// name, which `hello` detaches by leaving it out. The messages about the view follow.
    mutating func attachLate(_ name: String) {
        guard let index = viewIndex(name) else { return }
        let change = LateChange(kind: .attach, view: name, seq: link.reserveNumber())
        lateChanges.append(change)
        let numbers = link.renumber(name)
        views[index].renumber(numbers, attachment: change.seq)
        queries[name]?.renumber(numbers)
    }

    // MARK: Attaching and detaching

    /// Adds a view. If there is a session, it is attached at once; after `hello`, it is attached
    /// when the session is open.
    package mutating func attach(_ view: ViewDescription, at now: Double) -> [Effect] {
        guard viewIndex(view.name) == nil else { return [] }
        let effects = add(view.body)
        guard effects.isEmpty else { return effects }
        let isAnnounced = phase == .open || phase == .greeting
        let announced = isAnnounced ? announce(.attach, view.name, at: now) : []
        return announced + reportRows(of: view.name, at: now)
    }

    /// Removes a view.
    package mutating func detach(_ name: String, at now: Double) -> [Effect] {
        guard let index = viewIndex(name) else { return [] }
        let isRefused = views[index].isRefused
        views.remove(at: index)
        queries[name] = nil
        link.removeView(name)
        lateChanges.removeAll { $0.view == name }
        let isSent = phase == .open || (phase == .greeting && greetedViews.contains(name))
        guard !isRefused else { return [] }
        goneViews[name] = isSent ? link.seq + 1 : .max
        if isSent { link.detachments.record(name, seq: link.seq + 1) }
        return isSent ? announce(.detach, name, at: now) : []
    }

    /// Sends an `attach` or `detach`, which is not kept, now or after `welcome`.
    private mutating func announce(
        _ kind: LateChange.Kind, _ view: String, at now: Double
    ) -> [Effect] {
        let change = LateChange(kind: kind, view: view, seq: link.reserveNumber())
        if kind == .attach, let index = viewIndex(view) {
            views[index].beginAttaching(.byMessage(seq: change.seq))
        }
        if phase == .greeting { lateChanges.append(change) }
        return transmit([message(for: change)].compactMap { $0 }, at: now)
    }

    // MARK: Refused views

    /// Handles a fault. If it refuses a view, the loads of the view have failed, and the messages
    /// about it are dropped.
    mutating func handleFault(_ fault: JSONValue, at now: Double) -> [Effect] {
        restoreQuery(after: fault)
        let code = fault["code"]?.string ?? ""
        let view = fault["view"]?.string
        let index = viewIndex(view)
        // These messages were sent before the refusal was received.
        if let index, code == FaultCode.unknownView.rawValue,
            views[index].isRefused || lateViews.contains(views[index].name)
        {
            return []
        }
        var text = fault["message"]?.string ?? ""
        if let field = fault["field"]?.string { text += " It concerns `\(field)`." }
        let event = ClientEvent.fault(
            FaultCode(rawValue: code), name: code, message: text, view: view)
        if phase == .greeting { return [.emit(event)] + refuseHello(code, text, fault) }
        guard let index else { return [.emit(event)] }
        guard views[index].isRefusal(fault) else {
            return [.emit(event)] + refuseEdit(by: fault, ofViewAt: index)
        }
        let name = views[index].name
        if let pending = queries.removeValue(forKey: name) {
            let isLater = pending.newestSeq ?? 0 > helloSeq
            views[index].body["parameters"] = isLater ? pending.newest : pending.accepted
            // The view of `hello` is attached again, without its refused query.
            if !isFlushed {
                attachLate(name)
                return [.emit(event)]
            }
        }
        link.removeView(name)
        return [.emit(event)] + views[index].refuse(fault, at: now).map { .emit($0) }
    }

    /// A fault before `welcome` refuses the whole frame of `hello`. If other messages were in the
    /// frame, the client drops them, and sends `hello` alone. The same `hello` would be refused
    /// again, unless the fault is temporary. After some faults, the daemon itself closes the
    /// connection.
    private mutating func refuseHello(
        _ code: String, _ text: String, _ fault: JSONValue
    ) -> [Effect] {
        guard fault["temporary"]?.bool != true else { return [] }
        let isClosing = FaultCode(rawValue: code)?.closeCode != nil
        if !isClosing, greetedSeq > 0 {
            let reason = "the daemon has refused it with `hello` (\(code))"
            let reports = link.takeMessages(of: greetedViews, upTo: greetedSeq).map { message in
                restoreQuery(after: message.body)
                return Self.report("The client has dropped", message.body, because: reason)
            }
            isHelloAlone = true
            phase = .dialing
            return reports + [.close, .dial]
        }
        refusal = "\(text) (\(code))"
        guard !isClosing else { return [] }
        phase = .refused
        return [.close]
    }

    /// The next `hello` has all views. A view that was refused begins with its first messages.
    mutating func attachViewsAgain(at now: Double) {
        let refused = Set(views.filter { $0.isRefused && $0.flaw == nil }.map(\.name))
        for index in views.indices where views[index].flaw == nil {
            views[index].beginAttaching(.inHello)
        }
        for message in firstMessages where refused.contains(message["view"]?.string ?? "") {
            _ = keep(message, at: now)
        }
    }

    // MARK: Cues

    /// Records the spoken cues that the app receives from the client itself.
    mutating func recordAnnouncements(_ effects: [Effect]) {
        for case .emit(.announce(let cue, let view)) in effects {
            if let index = viewIndex(view) { views[index].announced.insert(cue) }
        }
    }
}

extension ViewMachine {
    /// Whether the cue of an update was played already, because the daemon now handles messages
    /// that the client has handled by itself. A spoken cue is left out once.
    mutating func wasPlayed(_ event: ClientEvent) -> Bool {
        switch event {
        case .haptic: true
        case .announce(let cue, _): announced.remove(cue) != nil
        default: false
        }
    }
}
