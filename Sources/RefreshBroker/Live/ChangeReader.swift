package import RefreshProtocol

/// Reads the reports of changes. Source: docs/backends.md, "What has changed".
package struct ChangeReader: Hashable, Sendable {
    /// What a report of a feed can refer to.
    package struct Feed: Hashable, Sendable {
        /// The place of the key in each item; nil if the feed declares none.
        package var itemKey: JSONPointer?
        package var parameters: [FeedParameter]

        package init(itemKey: JSONPointer? = nil, parameters: [FeedParameter] = []) {
            self.itemKey = itemKey
            self.parameters = parameters
        }
    }

    /// An item of a report may be nested as deeply as one of a page. It is in three more containers.
    private static let limits = JSONLimits(
        depthMax: Page.jsonLimits.depthMax + 3, stringBytesMax: .max)

    package var feeds: [String: Feed]
    /// The function that hashes the items of pages.
    package var hash: SipHash

    package init(feeds: [String: Feed] = [:], hashedBy hash: SipHash = SipHash(key: 0, 0)) {
        self.feeds = feeds
        self.hash = hash
    }

    /// Reads a report: a JSON object, or nothing.
    package func change(
        of feed: String, in report: Span<UInt8>
    ) throws(ChangeReportFault) -> FeedChange {
        guard !report.isEmpty else { return FeedChange(feed) }
        guard report.count <= ItemChange.bytesMax else { throw .tooLarge }
        var scanner = JSONScanner(report, limits: Self.limits)
        let members = try ReportMembers(&scanner)
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw .notAnObject }
        let count = try members.count(in: report)
        guard let items = try items(of: feed, members, in: report) else {
            return FeedChange(feed, count: count ?? .unknown)
        }
        return FeedChange(feed, count: count ?? NewerCount(items.insertCount), items: [items])
    }

    /// Reads the text that `ItemChange.json` has made, at this node or at another one. Returns nil
    /// if it does not suit the feed.
    package func items(of feed: String, in text: Span<UInt8>) -> [ItemChange]? {
        var scanner = JSONScanner(text, limits: Self.limits)
        guard scanner.consumeByte(UInt8(ascii: "[")) else { return nil }
        var changes: [ItemChange] = []
        repeat {
            guard let members = try? ReportMembers(&scanner),
                let items = try? items(of: feed, members, in: text)
            else { return nil }
            changes.append(items)
        } while scanner.consumeByte(UInt8(ascii: ","))
        guard scanner.consumeByte(UInt8(ascii: "]")), changes.areBounded else { return nil }
        return changes
    }

    private func items(
        of feed: String, _ members: ReportMembers, in report: Span<UInt8>
    ) throws(ChangeReportFault) -> ItemChange? {
        guard let operations = members[.operations] else { return nil }
        let feed = feeds[feed] ?? Feed()
        guard let itemKey = feed.itemKey else { throw .noItemKey }
        let reader = OperationReader(itemKey: itemKey, hash: hash)
        return ItemChange(
            parameters: try members.parameters(feed.parameters, in: report),
            subject: try members.subject(in: report),
            try reader.operations(at: operations, in: report))
    }
}
