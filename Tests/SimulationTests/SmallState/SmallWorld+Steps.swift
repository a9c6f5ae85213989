import RefreshProtocol

@testable import RefreshBroker

/// The steps that may occur in a small world.
extension SmallWorld {
    enum Step {
        case start(Int, Int)
        case cancel(Int, Int)
        /// A load times out by the session's own clock.
        case runOut(Int, Int)
        case answer(Int)
        case fail(Int, isTemporary: Bool)
        case answerAgain
        case passDeadline
        case change
        case brokerTakes
        case hostTakes(Int)
        case detach(Int)
        case resume(Int, host: UInt16)
        case crash
    }

    var steps: [Step] {
        var steps: [Step] = []
        for seat in seats.indices {
            let isConnected = seats[seat].isConnected
            for view in seats[seat].views.indices {
                let shown = seats[seat].views[view]
                if shown.running > 0 {
                    if isConnected { steps.append(.cancel(seat, view)) }
                    steps.append(.runOut(seat, view))
                } else if isConnected, shown.startsLeft > 0 {
                    steps.append(.start(seat, view))
                }
            }
            if isConnected, seats[seat].movesLeft > 0 { steps.append(.detach(seat)) }
            if !isConnected {
                steps += [.resume(seat, host: 0), .resume(seat, host: 1)]
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
        if !toBroker.isEmpty { steps.append(.brokerTakes) }
        for host in toHosts.indices where !toHosts[host].isEmpty { steps.append(.hostTakes(host)) }
        if crashesLeft > 0 { steps.append(.crash) }
        return steps
    }

    mutating func take(_ step: Step) {
        switch step {
        case .start(let seat, let view):
            seats[seat].views[view].startsLeft -= 1
            seats[seat].views[view].last += 1
            seats[seat].views[view].running = seats[seat].views[view].last
            ask(seat, view)
        case .cancel(let seat, let view): giveUp(seat, view, because: .unwanted)
        case .runOut(let seat, let view): giveUp(seat, view, because: .outOfTime)
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
        case .brokerTakes: take(toBroker.removeFirst())
        case .hostTakes(let host):
            let (ticket, outcome) = toHosts[host].removeFirst()
            hear(ticket, outcome, at: host)
        case .detach(let seat):
            seats[seat].movesLeft -= 1
            seats[seat].isConnected = false
        case .resume(let seat, let host):
            seats[seat].isConnected = true
            seats[seat].host = host
        case .crash: crash()
        }
        checkRest()
    }

    private mutating func giveUp(_ seat: Int, _ view: Int, because reason: LeaveReason) {
        guard let ticket = ticket(seat, view) else { return }
        seats[seat].views[view].running = 0
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
