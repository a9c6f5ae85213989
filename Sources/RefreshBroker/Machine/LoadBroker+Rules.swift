internal import RefreshProtocol

// The application of new rules while loads are running. Source: docs/operations.md, "Reload".
extension LoadBroker {
    /// Applies new rules. Feeds and backends keep their numbers and counters.
    mutating func apply(_ rules: BrokerRules) {
        loadDeadlineMs = max(1, rules.loadDeadlineMs)
        var groupNumbers = Dictionary(
            groups.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        var known = Dictionary(
            feeds.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        feedNumbers = [:]
        for (name, feed) in rules.feeds.sorted(by: { $0.key < $1.key }) {
            let policy = rules.backends[feed.group] ?? BackendPolicy()
            let group = groupNumbers[feed.group] ?? groups.count
            if group == groups.count {
                groupNumbers[feed.group] = group
                groups.append(BackendGroup(name: feed.group, policy))
            } else {
                groups[group].apply(policy)
            }
            let number = known[name] ?? feeds.count
            if number == feeds.count {
                known[name] = number
                feeds.append(FeedState(name: name, group: group, policy: feed.policy))
            } else {
                feeds[number].group = group
                feeds[number].policy = feed.policy
            }
            feedNumbers[name] = number
        }
        changedGroups = Set(groups.indices)
    }

    mutating func handleRulesChange(
        to rules: BrokerRules, remade: Set<String>, at now: Instant, into effects: inout [Effect]
    ) {
        let gone = Set(feedNumbers.keys).subtracting(rules.feeds.keys)
        for name in gone.union(remade) {
            guard let feed = feedNumbers[name] else { continue }
            handleFeedChange(feed: feed, at: now)
            endSeries(ofFeed: feed, at: now, into: &effects)
            cache.removeAll(ofFeed: feed)
        }
        apply(rules)
        // The new limits may allow more calls.
        for group in groups.indices { serveQueue(of: group, at: now, into: &effects) }
    }
}
