import RefreshProtocol

/// Edits of the user. Each is kept until the daemon has answered it, and is sent on each
/// connection. Source: docs/protocol.md, "Edits".
extension ClientMachine {
    /// Makes an edit, and returns its name. `id`: the name; nil: a random one.
    package mutating func edit(
        _ name: String, _ operation: EditOperation, delayMs: Int, id: String?, at now: Double,
        random: inout some RandomNumberGenerator
    ) throws(EditError) -> (id: String, effects: [Effect]) {
        guard phase != .closed else { throw .clientClosed }
        guard let index = viewIndex(name) else { throw .unknownView }
        let edit = PendingEdit(
            id: id ?? Self.randomName(using: &random), operation: operation.json, delayMs: delayMs)
        if let flaw = link.bounds.flaw(of: Self.message(for: edit, view: name)) {
            throw .invalid(reason: flaw.text)
        }
        if let refusal = views[index].edits.refusal(of: edit, operation) { throw refusal }
        views[index].edits.add(edit)
        views[index].showEdits()
        return (edit.id, sendEdits(at: now))
    }

    /// Undoes an edit, if the daemon has not begun to perform it.
    package mutating func undo(_ name: String, _ edit: String, at now: Double) -> [Effect] {
        guard let index = viewIndex(name) else { return [] }
        switch views[index].edits.undo(edit) {
        case .nothing: return []
        case .message:
            return views[index].canSendEdits ? transmit([undo(edit, view: name)], at: now) : []
        case .dropped:
            views[index].showEdits()
            return [.emit(.edited(.undone(edit), view: name))]
        }
    }

    /// Sends the edits that were not sent on this connection, of the views that are attached.
    mutating func sendEdits(at now: Double) -> [Effect] {
        guard phase == .open, usedFeatures.isSuperset(of: ["edits", "patch", "live"]) else {
            return []
        }
        var effects: [Effect] = []
        var bodies: [JSONValue] = []
        for index in views.indices where views[index].canSendEdits {
            let name = views[index].name
            while let (edit, isRepeated) = views[index].edits.next {
                var message = Self.message(for: edit, view: name)
                if isRepeated { message["repeated"] = .bool(true) }
                // The limits of this daemon can be lower than those of the one before.
                if let flaw = link.bounds.flaw(of: message) {
                    let answer = EditAnswer.rolledBack(
                        edit.id, code: flaw.code.rawValue,
                        message: EditError.invalid(reason: flaw.text).description)
                    effects += dropEdit(answer, ofViewAt: index)
                    continue
                }
                let seq = link.reserveNumber()
                message["seq"] = .number(Double(seq))
                views[index].edits.recordSent(edit.id, seq: seq)
                bodies.append(message)
                if edit.isUndone { bodies.append(undo(edit.id, view: name)) }
            }
        }
        return transmit(bodies, at: now) + effects
    }

    /// The faults of an edit that has not arrived. It is sent again after the next `attached`.
    private static let notArrived: [FaultCode] = [.unknownView, .staleGeneration, .staleSequence]

    /// Drops the edit that a fault refuses. The daemon does not answer it by `edited`.
    mutating func refuseEdit(by fault: JSONValue, ofViewAt index: Int) -> [Effect] {
        let code = fault["code"]?.string ?? ""
        guard fault["temporary"]?.bool != true,
            !Self.notArrived.contains(where: { $0.rawValue == code }),
            let edit = views[index].edits.edit(sentAs: fault["seq"]?.number)
        else { return [] }
        return dropEdit(
            .rolledBack(
                edit.id, code: code,
                message: fault["message"]?.string ?? ""), ofViewAt: index)
    }

    private mutating func dropEdit(_ answer: EditAnswer, ofViewAt index: Int) -> [Effect] {
        guard views[index].edits.drop(answer.edit) else { return [] }
        views[index].showEdits()
        return [.emit(.edited(answer, view: views[index].name))]
    }

    private mutating func undo(_ edit: String, view: String) -> JSONValue {
        var message = Self.message("undo", view)
        message["seq"] = .number(Double(link.reserveNumber()))
        message["edit"] = .string(edit)
        return message
    }

    private static func message(for edit: PendingEdit, view: String) -> JSONValue {
        var message = Self.message("edit", view)
        message["edit"] = .string(edit.id)
        message["operation"] = edit.operation
        if edit.delayMs > 0 { message["delayMs"] = .number(Double(edit.delayMs)) }
        return message
    }

    /// A random UUID of version 4. Source: RFC 9562, section 5.4.
    private static func randomName(using random: inout some RandomNumberGenerator) -> String {
        var digits = (0..<32).map { _ in UInt8.random(in: 0..<16, using: &random) }
        digits[12] = 4
        digits[16] = digits[16] & 3 | 8
        let text = digits.map { String($0, radix: 16) }
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { text[$0].joined() }
            .joined(separator: "-")
    }
}

extension ViewMachine {
    /// Whether the daemon has attached the view on this connection.
    var canSendEdits: Bool { unanswered == nil && remote.isAttached && !isRefused }

    /// Shows the list of the daemon with the edits.
    mutating func showEdits() { edits.apply(to: remote.items) }

    /// Handles `edited`.
    mutating func receiveAnswer(_ message: JSONValue) -> [ClientEvent] {
        guard let answer = EditAnswer(message), edits.drop(answer.edit) else { return [] }
        return [.edited(answer, view: name)]
    }
}
