import RefreshBroker
import RefreshProtocol
import RefreshServer
import RefreshSession

// The edits of clients, as `BrokerLoop` performs them.
extension SimulatedBroker {
    func edit(_ ticket: EditTicket, _ request: EditRequest, deadlineMs: Int) {
        let deadline = agenda.now.advanced(byMilliseconds: Double(deadlineMs))
        post { broker in
            broker.lastEdit += 1
            broker.edits[broker.lastEdit] = (ticket, request)
            broker.handle(.editStarted(request, .edit(broker.lastEdit), deadline: deadline))
        }
    }

    /// The backend performs an edit when it is called, or when it answers. If it does not answer,
    /// it may have performed the edit.
    func call(_ order: EditOrder) {
        let behaviour = backends.behaviour(of: order)
        editCalls[order.id] = behaviour
        let performsEarly = generator.chance(50)
        if performsEarly, behaviour.failure == nil { _ = perform(order) }
        guard !behaviour.hangs else { return }
        agenda.after(behaviour.milliseconds, lane: lane) { [self] in answer(order) }
    }

    private func perform(_ order: EditOrder) -> Result<EditedItem?, LoadFailure> {
        guard let board = backends.board else {
            return .failure(LoadFailure(.backendRejected, "There is no such feed."))
        }
        return board.perform(
            liveDefect?.performed(order.request, byNode: node?.number ?? 0) ?? order.request)
    }

    private func answer(_ order: EditOrder) {
        guard let call = editCalls.removeValue(forKey: order.id) else { return }
        // The backend performs an edit also if its daemon has ended, but not after the daemon has
        // aborted the call.
        let result =
            call.failure.map { .failure($0) }
            ?? (call.isAborted ? .failure(Self.abortFailure) : perform(order))
        handle(.edited(order.id, result))
    }

    private static let abortFailure = LoadFailure(.backendTimedOut, "The call was ended.")

    /// An aborted call fails. If it hangs, it fails soon.
    func abortEdit(_ id: CallID) {
        editCalls[id]?.isAborted = true
        guard editCalls[id]?.hangs == true else { return }
        editCalls[id] = nil
        agenda.after(generator.milliseconds(0, 5), lane: lane) { [self] in
            handle(.edited(id, .failure(Self.abortFailure)))
        }
    }

    func endEdit(_ number: UInt64, with event: LoadEvent) {
        if let outcome = EditOutcome(event) { endEdit(number, with: outcome) }
    }

    func endEdit(possiblyPerformed user: LoadUser<LoadTicket>, _ failure: LoadFailure) {
        guard case .edit(let number) = user, let feed = edits[number]?.request.feed else { return }
        endEdit(number, with: .unknown(failure))
        report(FeedChange(feed))
    }

    func endEdit(
        performed user: LoadUser<LoadTicket>, _ item: EditedItem?, isRepeated: Bool
    ) {
        guard case .edit(let number) = user, let request = edits[number]?.request else { return }
        endEdit(number, with: EditOutcome(performed: request, item))
        report(
            FeedChange(
                of: request, number, replacedBy: item, isRepeated: isRepeated,
                under: policies[request.feed] ?? FeedPolicy()))
    }

    private func report(_ change: FeedChange) {
        monitor?.recordChange(of: change.feed)
        reportChange(change)
    }

    private func endEdit(_ number: UInt64, with outcome: EditOutcome) {
        guard let edit = edits.removeValue(forKey: number) else { return }
        directory.deliver(.edited(edit.ticket, edit.request, outcome), to: edit.ticket.session)
    }
}
