import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// Changes of a list by the user of the client. Source: docs/protocol.md, "Edits".
extension Conversation {
    /// The operations that the feed of a view accepts from the client.
    func acceptedEdits(ofViewAt index: Int) -> [ItemOperation.Kind] {
        guard inbound.features?.uses(.edits) == true, let feed = views[index].feed,
            let description = services.feed(ofView: feed.name), description.itemKey != nil
        else { return [] }
        return ItemOperation.Kind.allCases.filter { description.edits.contains($0) }
    }

    // MARK: Messages of the client

    mutating func handleEdit(_ edit: ItemEdit, _ header: MessageHeader, at now: Instant) {
        guard let index = resolveView(of: header, at: now) else { return }
        guard let feed = views[index].feed else {
            return outbox.append(
                .text(ServerText.edited(edit.name, .editNotAccepted, view: header.view)))
        }
        var ledger = feed.edits?.value ?? EditLedger()
        switch ledger.receive(edit.name) {
        case .inProgress: return
        case .answered:
            feed.edits = Boxed(ledger)
            considerAnswers(ofViewAt: index, at: now)
        case .tooMany:
            let answer = ServerText.edited(edit.name, .tooManyEdits, view: header.view)
            ledger.recordSent(edit.name, answer)
            feed.edits = Boxed(ledger)
            outbox.append(.text(answer))
        case .new: begin(edit, header, ofViewAt: index, at: now)
        }
    }

    /// Lets a new edit wait, performs it, or refuses it.
    private mutating func begin(
        _ edit: ItemEdit, _ header: MessageHeader, ofViewAt index: Int, at now: Instant
    ) {
        guard let feed = views[index].feed else { return }
        let accepted = acceptedEdits(ofViewAt: index)
        guard !accepted.isEmpty, let itemKey = services.feed(ofView: feed.name)?.itemKey else {
            return refuse(edit, ofViewAt: index, at: now)
        }
        guard
            let operation = ItemOperation(
                reading: edit.operation, at: itemKey, hashedBy: services.itemHash)
        else {
            var fault = Fault(.invalidField, option: .operation)
            fault.seq = header.seq
            fault.view = header.view
            fault.edit = edit.name
            return report(fault, at: now)
        }
        guard accepted.contains(operation.kind) else {
            return refuse(edit, ofViewAt: index, at: now)
        }
        let waiting = EditLedger.Waiting(
            name: edit.name, operation: operation, parameters: feed.parameters,
            due: now.advanced(byMilliseconds: Double(edit.delayMs)),
            isRepeated: edit.isRepeated ? true : nil)
        var ledger = feed.edits?.value ?? EditLedger()
        let mustWait = edit.delayMs > 0 || ledger.mustWait(waiting)
        if mustWait { ledger.wait(waiting) } else { ledger.perform(edit.name) }
        feed.edits = Boxed(ledger)
        services.onGrowth?(2 * edit.operation.count, key, now)
        guard mustWait else {
            return perform(waiting, of: feed, view: views[index].generation)
        }
        phase.timeoutCheckDue = earliestTimeout
    }

    private mutating func refuse(_ edit: ItemEdit, ofViewAt index: Int, at now: Instant) {
        guard let feed = views[index].feed else { return }
        var ledger = feed.edits?.value ?? EditLedger()
        ledger.refuse(
            edit.name, ServerText.edited(edit.name, .editNotAccepted, view: views[index].id))
        feed.edits = Boxed(ledger)
        considerAnswers(ofViewAt: index, at: now)
    }

    /// Answers an edit whose message has a fault, so that the client drops the edit. An edit in
    /// progress has the same name only by a mistake of the client, and gets its own answer.
    mutating func answerEdit(with fault: Fault) {
        guard let edit = fault.edit, let view = fault.view, let index = viewIndex(view),
            views[index].feed?.edits?.value.isInProgress(edit) != true
        else { return }
        outbox.append(.text(ServerText.edited(edit, fault.code, view: view)))
    }

    mutating func handleUndo(of edit: String, _ header: MessageHeader, at now: Instant) {
        guard let index = resolveView(of: header, at: now), let feed = views[index].feed,
            var ledger = feed.edits?.value,
            ledger.undo(edit, ServerText.edited(edit, .undone, view: header.view))
        else { return }
        feed.edits = Boxed(ledger)
        // Another edit of the same item does not wait any more.
        performEdits(of: views[index]) { $0.takeDue(at: now) }
        phase.timeoutCheckDue = earliestTimeout
        considerAnswers(ofViewAt: index, at: now)
    }

    // MARK: Performing

    /// When the next edit must be performed; `never` if none waits.
    var editsDue: Instant {
        views.reduce(Instant.never) { min($0, $1.feed?.edits?.value.due ?? .never) }
    }

    /// Performs the edits that are due at `time`.
    mutating func performEdits(dueAt time: Instant, at now: Instant) {
        for index in views.indices {
            performEdits(of: views[index]) { $0.takeDue(at: time) }
            if views[index].feed?.edits?.value.ready.isEmpty == false {
                considerAnswers(ofViewAt: index, at: now)
            }
        }
    }

    /// Performs all edits of a view that wait, because the view is gone.
    func performWaitingEdits(of slot: ViewSlot) { performEdits(of: slot) { $0.takeWaiting() } }

    private func performEdits(
        of slot: ViewSlot, _ take: (inout EditLedger) -> [EditLedger.Waiting]
    ) {
        guard let feed = slot.feed, var ledger = feed.edits?.value, !ledger.waiting.isEmpty else {
            return
        }
        var edits = take(&ledger)
        // The configuration may have been reloaded during the wait.
        let description = services.feed(ofView: feed.name)
        edits.removeAll { edit in
            let isAccepted = edit.operation.isAccepted(
                asOneOf: description?.edits ?? [], itemKey: description?.itemKey)
            guard !isAccepted else { return false }
            return ledger.finish(
                edit.name, ServerText.edited(edit.name, .editNotAccepted, view: slot.id))
        }
        feed.edits = Boxed(ledger)
        for edit in edits { perform(edit, of: feed, view: slot.generation) }
    }

    private func perform(_ edit: EditLedger.Waiting, of feed: FeedUse, view: UInt32) {
        services.loads.edit(
            EditTicket(session: key, view: view, edit: edit.name),
            EditRequest(
                feed: feed.name, edit.operation,
                idempotencyKey: IdempotencyKey.text(
                    edit: edit.name, of: feed.name, subject: principal.subject),
                parameters: edit.parameters, headers: feed.headers, subject: principal.subject,
                sequence: "\(name)/\(view)", isRepeated: edit.isRepeated == true),
            deadlineMs: services.limits.loadDeadlineMs)
    }

    // MARK: Answers

    /// Handles the outcome of an edit. `change` is what the edit has made of the list; nil if
    /// nothing.
    mutating func handleEditOutcome(
        of edit: String, _ outcome: EditOutcome, _ change: ItemChange?, view: UInt32,
        at now: Instant
    ) {
        guard let index = viewIndex(generation: view), let feed = views[index].feed,
            var ledger = feed.edits?.value,
            ledger.finish(
                edit, ServerText.edited(edit, outcome, view: views[index].id),
                isForgotten: outcome.result == .unknown)
        else { return }
        feed.edits = Boxed(ledger)
        if let change,
            let discarded = takeOperations(of: [change], areOwn: true, toViewAt: index, at: now)
        {
            applyEvent(
                .feedChanged(count: NewerCount(change.insertCount + discarded)), toViewAt: index,
                because: .feed, at: now)
            if discarded > 0 { endHeldCount(ofViewAt: index, at: now) }
        }
        considerAnswers(ofViewAt: index, at: now)
    }

    /// Lets the engine decide when the answers that are ready are sent: when operations on items
    /// would be applied.
    private mutating func considerAnswers(ofViewAt index: Int, at now: Instant) {
        applyEvent(
            .operationsReported(shift: 0, isStructural: false), toViewAt: index, because: .feed,
            at: now)
    }

    /// Sends the answers that are ready.
    mutating func sendAnswers(ofViewAt index: Int) {
        guard let feed = views[index].feed, var ledger = feed.edits?.value, !ledger.ready.isEmpty
        else { return }
        for answer in ledger.takeReady() { outbox.append(.text(answer)) }
        feed.edits = Boxed(ledger)
    }

    /// Forgets the edits of all views, and the answers in the queue, if the client that has resumed
    /// does not use the feature. Call this function before any event of the resume, because an
    /// event can send answers.
    mutating func adaptEdits() {
        guard inbound.features?.uses(.edits) != true else { return }
        for view in views where view.feed?.edits != nil {
            performWaitingEdits(of: view)
            view.feed?.edits = nil
            outbox.removeAnswers()
        }
    }
}
