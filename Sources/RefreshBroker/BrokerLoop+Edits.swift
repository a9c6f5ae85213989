internal import RefreshProtocol

/// The edits on the broker's thread.
extension BrokerLoop {
    mutating func startEdit(
        _ request: EditRequest, until deadline: Instant, at now: Instant,
        _ deliver: @escaping @Sendable (EditOutcome) -> Void
    ) {
        lastEdit += 1
        guard let number = numbers.assignNumber(to: .edit(lastEdit)) else { return }
        edits[lastEdit] = RunningEdit(request: request, deliver: deliver)
        handle(.editStarted(request, number, deadline: deadline), at: now)
    }

    /// Starts a call of a backend that performs an edit.
    mutating func startCall(_ order: EditOrder) {
        let mailbox = mailbox
        guard let feed = feeds[order.request.feed], let itemKey = feed.policy.itemKey,
            feed.policy.accepts(order.request.operation)
        else {
            // The feed was removed or changed while the edit was waiting for its call.
            mailbox.post(.edited(order.id, .failure(.editNotAccepted)))
            return
        }
        let backend = feed.backend
        let itemHash = itemHash
        let call = EditCall(
            id: order.id, order.request, attempt: order.attempt, deadline: order.deadline)
        let task = Task.immediate {
            let answer: Result<EditedItem?, LoadFailure>
            do throws(LoadFailure) {
                if let item = try await backend.edit(call) {
                    answer = .success(
                        try EditedItem(reading: item, at: itemKey, hashedBy: itemHash))
                } else {
                    answer = .success(nil)
                }
            } catch {
                answer = .failure(error)
            }
            mailbox.post(.edited(order.id, answer))
        }
        calls[order.id] = Call(task: task, progress: ProgressSlot(), backend: backend)
    }

    /// Ends an edit with an event of the machine. Progress and retries are not reported.
    mutating func endEdit(_ number: UInt64, with event: LoadEvent) {
        if let outcome = EditOutcome(event) { endEdit(number, with: outcome) }
    }

    /// Ends an edit that the backend may have performed. The lists of the feed may have changed.
    mutating func endEdit(possiblyPerformed slot: Int, _ failure: LoadFailure) {
        let user = numbers[slot]
        numbers.release([slot])
        guard case .edit(let number) = user, let feed = edits[number]?.request.feed else { return }
        endEdit(number, with: .unknown(failure))
        notices?.reportFeedChange(FeedChange(feed))
    }

    /// Ends an edit that the backend has performed. `isRepeated`: an earlier attempt may have
    /// performed it.
    mutating func endEdit(performed slot: Int, _ item: EditedItem?, isRepeated: Bool) {
        let user = numbers[slot]
        numbers.release([slot])
        guard case .edit(let number) = user, let request = edits[number]?.request else { return }
        endEdit(number, with: EditOutcome(performed: request, item))
        // The author's session gets the outcome before the change.
        let policy = feeds[request.feed]?.policy ?? FeedPolicy()
        notices?.reportFeedChange(
            FeedChange(
                of: request, number, replacedBy: item, isRepeated: isRepeated, under: policy))
    }

    private mutating func endEdit(_ number: UInt64, with outcome: EditOutcome) {
        guard let edit = edits.removeValue(forKey: number) else { return }
        if feeds[edit.request.feed] != nil {
            endedEdits[edit.request.feed, default: [:]][outcome.result, default: 0] += 1
        }
        edit.deliver(outcome)
    }
}

extension FeedChange {
    /// The change that an edit has made. `number`: the number of the edit at this node. `item`:
    /// what the backend has returned; nil if it has returned nothing. `isRepeated`: an earlier
    /// attempt may have performed the edit.
    package init(
        of request: EditRequest, _ number: UInt64, replacedBy item: EditedItem?,
        isRepeated: Bool, under policy: FeedPolicy
    ) {
        let change = ItemChange(
            parameters: request.parameters, subject: policy.isShared ? nil : request.subject,
            request.operations(replacedBy: item))
        // The answers of the feed can differ by the forwarded headers. The sessions with the same
        // headers are not known, so no session receives the item of another user.
        let isPublic = policy.isShared || request.headers.isEmpty && !policy.forwardsHeaders
        self.init(
            request.feed, count: NewerCount(change.insertCount), items: isPublic ? [change] : nil)
        // Only the edits of one sequence are performed one after another.
        reporter = "edits of \(request.sequence ?? "\(number)")"
        self.isRepeated = request.isRepeated || isRepeated
    }
}

/// An edit that has no outcome yet.
struct RunningEdit: Sendable {
    let request: EditRequest
    let deliver: @Sendable (EditOutcome) -> Void
}
