import RefreshProtocol

@testable import RefreshBroker

/// The steps that may occur in a small world.
extension SmallWorld {
    enum Step {
        case start(Int, Int)
        case cancel(Int, Int)
        /// A load times out by the session's own clock.
        case timeOut(Int, Int)
        case answer(Int)
        case fail(Int, isTemporary: Bool)
        case answerAgain
        case passDeadline
        case change
        case brokerReceives
        case hostReceives(Int)
        case detach(Int)
        case resume(Int, host: UInt16)
        case crash
    }

    var steps: [Step] {
        var steps: [Step] = []
        for session in sessions.indices {
            let isConnected = sessions[session].isConnected
            for view in sessions[session].views.indices {
                let shown = sessions[session].views[view]
                if shown.running > 0 {
                    if isConnected { steps.append(.cancel(session, view)) }
                    steps.append(.timeOut(session, view))
                } else if isConnected, shown.startsLeft > 0 {
                    steps.append(.start(session, view))
                }
            }
            if isConnected, sessions[session].movesLeft > 0 { steps.append(.detach(session)) }
            if !isConnected {
                steps += [.resume(session, host: 0), .resume(session, host: 1)]
            }
        }
        for index in calls.indices {
            steps.append(.answer(index))
            if !calls[index].isAborted {
                steps.append(.fail(index, isTemporary: false))
                if retriesLeft > 0 { steps.append(.fail(index, isTemporary: true)) }
            }
        }
        if returned != nil { steps.append(.answerAgain) }
        if machine.nextDeadline != nil { steps.append(.passDeadline) }
        if changesLeft > 0, !calls.isEmpty { steps.append(.change) }
        if !toBroker.isEmpty { steps.append(.brokerReceives) }
        for host in toHosts.indices where !toHosts[host].isEmpty {
            steps.append(.hostReceives(host))
        }
        if crashesLeft > 0 { steps.append(.crash) }
        return steps
    }

    mutating func perform(_ step: Step) {
        switch step {
        case .start(let session, let view):
            sessions[session].views[view].startsLeft -= 1
            sessions[session].views[view].last += 1
            sessions[session].views[view].running = sessions[session].views[view].last
            requestLoad(session, view)
        case .cancel(let session, let view): giveUp(session, view, because: .unwanted)
        case .timeOut(let session, let view): giveUp(session, view, because: .outOfTime)
        case .answer(let index):
            finish(index, .success(Page(items: Array("[]".utf8), count: 0)))
        case .fail(let index, let isTemporary):
            if isTemporary { retriesLeft -= 1 }
            finish(
                index,
                .failure(
                    LoadFailure(
                        isTemporary ? .backendUnavailable : .backendRejected, "It failed.",
                        retryAfterMs: 5)))
        case .answerAgain:
            guard let id = returned else { return }
            returned = nil
            handle(.answered(id, .success(Page(items: Array("[]".utf8), count: 0))))
        case .passDeadline:
            guard let due = machine.nextDeadline else { return }
            now = max(now, due)
            handle(.clockAdvanced)
        case .change:
            changesLeft -= 1
            for index in calls.indices { calls[index].isOvertaken = true }
            handle(.feedChanged("list"))
        case .brokerReceives: deliver(toBroker.removeFirst())
        case .hostReceives(let host):
            let (ticket, outcome) = toHosts[host].removeFirst()
            receive(ticket, outcome, at: host)
        case .detach(let session):
            sessions[session].movesLeft -= 1
            sessions[session].isConnected = false
        case .resume(let session, let host):
            sessions[session].isConnected = true
            sessions[session].host = host
        case .crash: crash()
        }
        checkRest()
    }

    private mutating func giveUp(_ session: Int, _ view: Int, because reason: LeaveReason) {
        guard let ticket = ticket(session, view) else { return }
        sessions[session].views[view].running = 0
        toBroker.append(.cancel(ticket, reason))
    }

    private mutating func finish(_ index: Int, _ answer: Result<Page, LoadFailure>) {
        let order = calls.remove(at: index).order
        let id = order.id
        returned = id
        if case .success = answer { answeredAt[order.request.page] = now }
        handle(.answered(id, answer))
    }
}
