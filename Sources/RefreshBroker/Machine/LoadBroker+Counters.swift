extension LoadBroker {
    /// The present values of all counters.
    package var counters: BrokerCounters {
        var copy = self
        copy.changedFeeds = Set(feeds.indices)
        copy.changedGroups = Set(groups.indices)
        var counters = BrokerCounters()
        copy.collectChanges(into: &counters)
        return counters
    }

    /// Updates those values of `counters` that have changed after the last call of this method.
    /// Returns the circuit breakers whose state differs from their old state in `counters`.
    @discardableResult
    package mutating func collectChanges(into counters: inout BrokerCounters) -> [BreakerChange] {
        var breakers: [BreakerChange] = []
        for feed in changedFeeds where feeds[feed].tally != FeedTally() {
            counters.feeds[feeds[feed].name] = feeds[feed].tally
        }
        for group in changedGroups {
            let (name, tally) = (groups[group].name, groups[group].tally)
            let before = counters.backends.updateValue(tally, forKey: name)
            if before?.breaker ?? .closed != tally.breaker {
                breakers.append(BreakerChange(name, tally.breaker))
            }
        }
        changedFeeds.removeAll(keepingCapacity: true)
        changedGroups.removeAll(keepingCapacity: true)
        counters.lateAnswers = lateAnswers
        counters.lateProgress = lateProgress
        counters.lateOwnerEvents = lateOwnerEvents
        counters.callsInFlight = calls.count
        counters.asksInFlight = asks.count
        counters.waiters = waiterEntries.count
        counters.cacheEntries = cache.count
        counters.cacheBytes = cache.bytes
        return breakers
    }

    /// Records look-ups in the published pages.
    mutating func record(_ lookUps: PublishedPages.LookUps) {
        cache.touch(lookUps.keys)
        for (name, hits) in lookUps.hits {
            // The counters of removed feeds are kept.
            guard let feed = feedNumbers[name] ?? feeds.firstIndex(where: { $0.name == name })
            else { continue }
            updateTally(ofFeed: feed) { $0.hits.add(hits) }
        }
    }

    mutating func updateTally(ofFeed feed: Int, _ change: (inout FeedTally) -> Void) {
        change(&feeds[feed].tally)
        changedFeeds.insert(feed)
    }

    /// Changes the state of a backend and marks its counters as changed.
    @discardableResult
    mutating func update<Result>(
        group: Int, _ change: (inout BackendGroup) -> Result
    ) -> Result {
        changedGroups.insert(group)
        return change(&groups[group])
    }
}
