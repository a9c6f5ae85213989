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
            message["type"] = .string(change.kind.rawValue)
        }
        message["seq"] = .number(Double(change.seq))
        return message
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
        if let index, views[index].isRefused, code == FaultCode.unknownView.rawValue { return [] }
        var text = fault["message"]?.string ?? ""
        if let field = fault["field"]?.string { text += " It concerns `\(field)`." }
        let event = ClientEvent.fault(
            FaultCode(rawValue: code), name: code, message: text, view: view)
        if phase == .greeting { return [.emit(event)] + refuseHello(code, text, fault) }
        guard let index, views[index].isRefusal(fault) else { return [.emit(event)] }
        link.removeView(views[index].name)
        return [.emit(event)] + views[index].refuse(fault, at: now).map { .emit($0) }
    }

    /// A fault before `welcome` refuses `hello`. The same `hello` would be refused again, unless
    /// the fault is temporary. After some faults, the daemon itself closes the connection.
    private mutating func refuseHello(
        _ code: String, _ text: String, _ fault: JSONValue
    ) -> [Effect] {
        guard fault["temporary"]?.bool != true else { return [] }
        refusal = "\(text) (\(code))"
        guard FaultCode(rawValue: code)?.closeCode == nil else { return [] }
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
