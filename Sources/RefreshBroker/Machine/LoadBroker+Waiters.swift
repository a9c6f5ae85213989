internal import RefreshProtocol

// The waiters, their deadlines, and the events that they receive.
extension LoadBroker {
    /// The minimum interval between two progress events of a load, in milliseconds.
    private static var progressMs: Double { 100 }

    mutating func addWaiter(_ waiter: Waiter, to number: UInt64, until deadline: Instant) {
        lastSerial += 1
        if seriesLoads[number] != nil {
            seriesLoads[number]?.waiters.append(waiter, serial: lastSerial, deadline: deadline)
        } else {
            flights[number]?.waiters.append(waiter, serial: lastSerial, deadline: deadline)
        }
        waiterEntries[waiter] = WaiterEntry(flight: number, serial: lastSerial)
        deadlines.insert(.init(deadline: deadline, serial: lastSerial, flight: number))
    }

    mutating func removeWaiter(
        _ waiter: Waiter, because reason: LeaveReason, at now: Instant,
        into effects: inout [Effect]
    ) {
        // If the waiter's outcome came before its cancellation, the waiter has no entry any more.
        guard let entry = waiterEntries.removeValue(forKey: waiter) else { return }
        _ = removeWaiter(entry.serial, of: entry.flight)
        effects.append(.deliver([waiter], .ended(reason.outcome)))
        cancelIfUnneeded(entry.flight, because: reason.result, at: now, into: &effects)
    }

    /// Removes and returns a waiter of a load or of a series.
    private mutating func removeWaiter(_ serial: UInt64, of number: UInt64) -> Waiter? {
        seriesLoads[number] == nil
            ? flights[number]?.waiters.remove(serial) : seriesLoads[number]?.waiters.remove(serial)
    }

    /// Drops the load or the series with this number if nothing needs it any more. A load is needed
    /// by its waiters, by series or by the cache. A series is needed only by its waiters.
    mutating func cancelIfUnneeded(
        _ number: UInt64, because result: LoadResult, at now: Instant,
        into effects: inout [Effect]
    ) {
        if let series = seriesLoads[number] {
            guard series.waiters.isEmpty else { return }
            return endSeries(number, .cancelled, because: result, at: now, into: &effects)
        }
        guard let flight = flights[number], !flight.isNeeded else { return }
        flights[number] = nil
        leaveSequence(number, flight)
        followingFlights.remove(number, of: flight.key.request)
        if !flight.isOutdated { joinableFlights[flight.key] = nil }
        switch flight.phase {
        case .queued:
            update(group: flight.group) { $0.gate.remove(number) }
        case .pausing:
            break
        case .calling(let id):
            recordCallEnd(of: flight, result)
            abandon(id, result == .timedOut ? .failed : .unknown, at: now, into: &effects)
            serveQueue(of: flight.group, at: now, into: &effects)
        case .asking(let id, _):
            withdraw(id, because: .unneeded, into: &effects)
        }
    }

    /// Ends a load with the same outcome for all its waiters.
    mutating func end(
        _ number: UInt64, _ outcome: LoadOutcome, into effects: inout [Effect]
    ) {
        guard let flight = flights.removeValue(forKey: number) else { return }
        leaveSequence(number, flight)
        followingFlights.remove(number, of: flight.key.request)
        if !flight.isOutdated { joinableFlights[flight.key] = nil }
        let waiters = flight.waiters.present
        for waiter in waiters { waiterEntries[waiter] = nil }
        if flight.mayBePerformed, case .failed(let failure) = outcome {
            effects += waiters.map { .editUnknown($0, failure) }
        } else if !waiters.isEmpty {
            effects.append(.deliver(waiters, .ended(outcome)))
        }
        for use in flight.pageUses { pageOutcomes.append((use, outcome)) }
    }

    mutating func deliver(to number: UInt64, _ event: LoadEvent, into effects: inout [Effect]) {
        guard let flight = flights[number] else { return }
        let waiters = flight.waiters.present
        if !waiters.isEmpty { effects.append(.deliver(waiters, event)) }
        for use in flight.pageUses { deliver(event, to: use, into: &effects) }
    }

    mutating func stop(into effects: inout [Effect]) {
        isStopped = true
        for number in flights.keys.sorted() {
            guard let flight = flights[number] else { continue }
            end(number, .cancelled, into: &effects)
            update(group: flight.group) { $0.gate.remove(number) }
            switch flight.phase {
            case .queued, .pausing: break
            case .asking(let id, _): withdraw(id, because: .unneeded, into: &effects)
            case .calling(let id):
                recordCallEnd(of: flight, .cancelled)
                calls[id]?.flight = nil
                if calls[id]?.hasReturned != true { effects.append(.abort(id)) }
            }
        }
        cache.removeAll()
    }

    // MARK: - Progress

    mutating func handleProgress(
        of id: CallID, _ value: Double, at now: Instant, into effects: inout [Effect]
    ) {
        guard let number = calls[id]?.flight else { return recordLateProgress() }
        handleProgress(ofLoad: number, value, at: now, into: &effects)
    }

    mutating func handleProgress(
        ofLoad number: UInt64, _ value: Double, at now: Instant, into effects: inout [Effect]
    ) {
        guard let flight = flights[number], value.isFinite else { return }
        let value = min(max(0, value), 1)
        guard let lastProgressAt = flight.lastProgressAt,
            now < lastProgressAt.advanced(byMilliseconds: Self.progressMs)
        else { return deliverProgress(number, value, at: now, into: &effects) }
        let due = lastProgressAt.advanced(byMilliseconds: Self.progressMs)
        if flight.pendingProgress == nil {
            deadlines.insert(
                .init(
                    deadline: due, serial: LoadDeadline.progressSerial, flight: number))
        }
        flights[number]?.pendingProgress = (value, due)
    }

    private mutating func deliverProgress(
        _ number: UInt64, _ value: Double, at now: Instant, into effects: inout [Effect]
    ) {
        flights[number]?.lastProgressAt = now
        flights[number]?.pendingProgress = nil
        deliver(to: number, .progressed(value), into: &effects)
    }

    // MARK: - Deadlines

    mutating func setTimer(of number: UInt64, to deadline: Instant?) {
        flights[number]?.timer = deadline
        guard let deadline else { return }
        deadlines.insert(
            .init(
                deadline: deadline, serial: LoadDeadline.flightSerial, flight: number))
    }

    mutating func expire(at now: Instant, into effects: inout [Effect]) {
        // If several waiters in a row have timed out, one event is delivered to all of them.
        var expired: [Waiter] = []
        while let due = deadlines.nextDeadline, due <= now, let entry = deadlines.first {
            deadlines.removeFirst()
            guard isLive(entry) else { continue }
            let isWaiter = entry.serial < LoadDeadline.progressSerial
            if isWaiter, let waiter = removeWaiter(entry.serial, of: entry.flight) {
                waiterEntries[waiter] = nil
                if mayBePerformedAtDeadline(entry.flight, at: entry.deadline) {
                    effects.append(.editUnknown(waiter, Self.timeFailure))
                } else {
                    expired.append(waiter)
                }
                if isNeeded(entry.flight) { continue }
            }
            if !expired.isEmpty { effects.append(.deliver(expired, .ended(.timedOut))) }
            expired.removeAll()
            if isWaiter {
                cancelIfUnneeded(
                    entry.flight, because: .timedOut, at: entry.deadline, into: &effects)
            } else {
                handleTimer(entry, at: now, into: &effects)
            }
            handlePageOutcomes(at: entry.deadline, into: &effects)
        }
        if !expired.isEmpty { effects.append(.deliver(expired, .ended(.timedOut))) }
    }

    /// Handles a timer. Progress is delivered with the present time. All other effects have the
    /// time for which the timer was set.
    private mutating func handleTimer(
        _ entry: LoadDeadline, at now: Instant, into effects: inout [Effect]
    ) {
        let number = entry.flight
        guard let flight = flights[number] else { return }
        if entry.serial == LoadDeadline.progressSerial {
            guard let waiting = flight.pendingProgress else { return }
            return deliverProgress(number, waiting.value, at: now, into: &effects)
        }
        let due = entry.deadline
        flights[number]?.timer = nil
        switch flight.phase {
        case .pausing:
            requestCall(for: number, at: due, into: &effects)
        case .calling(let id):
            flights[number]?.cacheDeadline = nil
            handleCallTimeout(number, id, at: due, into: &effects)
        case .queued:
            flights[number]?.cacheDeadline = nil
            cancelIfUnneeded(number, because: .timedOut, at: due, into: &effects)
        case .asking(let id, _):
            handleAskTimeout(of: id, at: due, into: &effects)
        }
    }

    private func isNeeded(_ number: UInt64) -> Bool {
        if let series = seriesLoads[number] { return !series.waiters.isEmpty }
        return flights[number]?.isNeeded == true
    }

    private func isLive(_ entry: LoadDeadline) -> Bool {
        if let series = seriesLoads[entry.flight] { return series.waiters.contains(entry.serial) }
        guard let flight = flights[entry.flight] else { return false }
        switch entry.serial {
        case LoadDeadline.flightSerial: return flight.timer == entry.deadline
        case LoadDeadline.progressSerial:
            return flight.pendingProgress?.at == entry.deadline
        default: return flight.waiters.contains(entry.serial)
        }
    }

    /// Drops stale deadlines, which belong to loads or waiters that have ended or have another
    /// deadline now. Stale deadlines at the front of the queue are dropped immediately, so that
    /// they cause no wakeup. Other stale deadlines are dropped when they are the majority.
    mutating func removeStaleDeadlines() {
        if deadlines.count > 2 * (waiterEntries.count + flights.count) + 64 {
            var heap = DueQueue<LoadDeadline>()
            swap(&heap, &deadlines)
            heap.retain(isLive)
            swap(&heap, &deadlines)
        }
        while let entry = deadlines.first, !isLive(entry) { deadlines.removeFirst() }
    }
}
