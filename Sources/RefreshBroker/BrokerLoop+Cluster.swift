internal import RefreshProtocol

/// The cluster on the broker's thread: the loads of other nodes, and their answers to this one.
extension BrokerLoop {
    mutating func deliver(_ event: LoadEvent, to load: RemoteLoadID, at now: Instant) {
        guard let request = remoteLoads.request(of: load) else { return }
        var remaining = RemainingLifetime.over
        if case .ended(.page(let page)) = event {
            remaining = machine.remainingLifetime(of: page, for: request, at: now)
        }
        remoteLoads.deliver(event, remaining, to: load)
    }

    mutating func receiveFromCluster(_ message: Message, at now: Instant) {
        switch message {
        case .connected(let link, let makeWork):
            remoteLoads.link = link
            clusterWork = makeWork()
            mailbox.setWake(clusterWork?.wake)
        case .owners(let owners):
            handle(.ownersChanged(owners), at: now)
        case .ownerEvent(.page(let page, let remaining), let id, hasKeys: false):
            readItemKeys(of: page, remaining, id, at: now)
        case .ownerEvent(let event, let id, _):
            handle(.ownerEvent(event, id), at: now)
        case .startRemote(let brokerRequest, let load, let deadline):
            startRemote(brokerRequest, load, until: deadline, at: now)
        case .cancelRemote(let load):
            guard let number = numbers.number(of: .node(load)) else { break }
            // The other node does not need an outcome any more.
            remoteLoads.cancel(load)
            handle(.waiterCancelled(number), at: now)
        case .start, .cancel, .startEdit, .progressed, .answered, .edited, .changed, .plan,
            .barrier, .stopped, .stop:
            break
        }
    }

    private mutating func startRemote(
        _ brokerRequest: BrokerRequest, _ load: RemoteLoadID, until deadline: Instant,
        at now: Instant
    ) {
        let request = brokerRequest.request
        let isRefused = RemoteLoads.isRefused(request, under: feeds[request.feed]?.policy)
        if !machine.isStopped, isRefused {
            remoteLoads.link?.deliver(.refused(.unknownFeed), to: load)
            return
        }
        guard let number = numbers.assignNumber(to: .node(load)) else { return }
        remoteLoads.add(load, request)
        var brokerRequest = brokerRequest
        brokerRequest.isRemote = true
        handle(.started(brokerRequest, number, deadline: deadline), at: now)
    }

    /// Passes the page of another node to the machine. If the feed has an item key, the items are
    /// first read on another thread.
    private mutating func readItemKeys(
        of page: Page, _ remaining: RemainingLifetime, _ id: CallID, at now: Instant
    ) {
        guard let feed = machine.feed(ofAsk: id), let itemKey = feeds[feed]?.policy.itemKey else {
            return handle(.ownerEvent(.page(page, remaining), id), at: now)
        }
        // The owner has answered in time, however long the reading takes.
        handle(.ownerPageArrived(id), at: now)
        let itemHash = itemHash
        let mailbox = mailbox
        Task.detached {
            var page = page
            page.itemKeys = ItemKeys(of: page, at: itemKey, hashedBy: itemHash)
            mailbox.post(.ownerEvent(.page(page, remaining), id, hasKeys: true))
        }
    }
}
