import RefreshProtocol

/// A rule for model lists that was broken, and how.
struct BrokenRule: Error {
    let rule: ReaderRule
    let text: String

    init(_ rule: ReaderRule, _ text: String) {
        self.rule = rule
        self.text = text
    }
}

/// What the rules need to know about the world.
struct ReaderContext {
    let ledger: BackendLedger
    let lists: ModelLists
    let plan: SimulationPlan
    let readers: ReaderPlan
    /// The name of the session and the identifier of the load.
    let load: String
    /// The largest `ack` of the frame and of earlier frames.
    let ack: Int
}

// Checks received items against the model, and accepts them.
extension ListReader {
    mutating func accept(
        _ received: ReceivedItems, of load: Load?, in context: ReaderContext
    ) throws(BrokenRule) {
        try checkQueries(of: received, in: context)
        let answers = try answers(of: received, in: context)
        if let load, received.isReplacing { try checkSize(of: received, answers, load, context) }
        try checkItems(of: received, answers, in: context)
        try checkOrder(of: received, answers, in: context)
        try checkAge(of: answers, received, load, in: context)
        if received.isReplacing {
            items = received.items
            pages = received.pages
            continueList(ack: context.ack)
            firstAnswer = answers.first
            ackOfList = context.ack
            start =
                switch feed.style {
                case .page, .none: (received.page - feed.firstPage) * ModelFeed.size
                case .offset: received.offset - feed.firstOffset
                case .cursor: 0
                }
            lastAnswer = answers.last
        } else {
            items += received.items
            pages += 1
            lastAnswer = answers.last ?? lastAnswer
        }
    }

    private func checkQueries(
        of received: ReceivedItems, in context: ReaderContext
    ) throws(BrokenRule) {
        let allowed = queries(allowedAt: context.ack)
        for item in received.items where !allowed.contains(item.query) {
            throw BrokenRule(
                .query, "received item \(item.number) under the queries \(allowed.sorted())")
        }
        var shown = Set(received.items.map(\.query))
        if !received.isReplacing { shown.formUnion(items.map(\.query)) }
        if shown.count > 1 {
            throw BrokenRule(.query, "shows items of the queries \(shown.sorted()) in one list")
        }
    }

    private func answers(
        of received: ReceivedItems, in context: ReaderContext
    ) throws(BrokenRule) -> [ModelAnswer] {
        var answers: [ModelAnswer] = []
        for part in received.parts {
            guard let answer = context.ledger.answers[part.answer]?.model, answer.feed == feed
            else {
                throw BrokenRule(.list, "received items of answer \(part.answer) of another feed")
            }
            if let item = part.items.first(where: { $0.query != answer.query }) {
                throw BrokenRule(
                    .query, "received item \(item.number) for query \(answer.query)")
            }
            answers.append(answer)
        }
        return answers
    }

    /// Checks that no part of a load was accepted in place of the whole, and that a refresh
    /// requested the pages that the user reads.
    private func checkSize(
        of received: ReceivedItems, _ answers: [ModelAnswer], _ load: Load,
        _ context: ReaderContext
    ) throws(BrokenRule) {
        if received.pages < load.pages, received.hasMore || answers.last?.hasMore == true {
            throw BrokenRule(
                .wholeness, "received \(received.pages) of \(load.pages) pages of a longer list")
        }
        if received.pages > load.pages {
            throw BrokenRule(.list, "received \(received.pages) of \(load.pages) pages")
        }
        let most = context.plan.limits.pagesKeptMax
        guard let sight = load.sight, load.cause != "query", load.cause != "initial",
            sight.count <= most
        else { return }
        let isAutomatic = load.cause == "changed" || load.cause == "poll"
        let first = feed.style == .cursor ? 0 : start(of: received) / ModelFeed.size
        guard isAutomatic || load.depth != "first" else { return }
        // With cursors, a refresh by the user does not reach beyond the kept pages.
        let isReached = feed.style != .cursor || sight.upperBound < most || isAutomatic
        let isCovered = first <= sight.lowerBound && first + load.pages > sight.upperBound
        if isReached, received.pages == load.pages, !isCovered {
            throw BrokenRule(
                .place,
                "\(load.cause) requested \(load.pages) pages from \(first) on, but the pages "
                    + "\(sight) were in sight")
        }
        if load.depth == "keep", load.pagesToEnd > 1, load.pagesToEnd <= most,
            load.pages != load.pagesToEnd
        {
            throw BrokenRule(
                .place, "\(load.cause) requested \(load.pages) of \(load.pagesToEnd) pages")
        }
    }

    private func start(of received: ReceivedItems) -> Int {
        feed.style == .offset
            ? received.offset - feed.firstOffset : (received.page - feed.firstPage) * ModelFeed.size
    }

    /// Checks that the items of each answer are those of the model, without duplicates.
    private func checkItems(
        of received: ReceivedItems, _ answers: [ModelAnswer], in context: ReaderContext
    ) throws(BrokenRule) {
        var seen = received.isReplacing ? [] : Set(items.map(\.number))
        for (part, answer) in zip(received.parts, answers) {
            guard context.readers.hasItemKeys else {
                guard part.items == answer.items else {
                    throw BrokenRule(
                        .list, "received \(part.items), and the model answers \(answer.items)")
                }
                continue
            }
            let new = answer.items.filter { seen.insert($0.number).inserted }
            // A daemon that has lost the keys of the items cannot remove all duplicates.
            let isTolerated =
                !context.plan.remembersItems && part.items.allSatisfy(answer.items.contains)
                && new.allSatisfy(part.items.contains)
            guard part.items == new || isTolerated else {
                throw BrokenRule(.list, "received \(part.items), and the model answers \(new)")
            }
        }
    }

    /// Checks that the answers follow each other without a gap.
    private func checkOrder(
        of received: ReceivedItems, _ answers: [ModelAnswer], in context: ReaderContext
    ) throws(BrokenRule) {
        var previous = received.isReplacing ? nil : lastAnswer
        for (index, answer) in answers.enumerated() {
            if let previous {
                // If all items of a page were duplicates, the page between these two answers was
                // not sent.
                let mayBeLater = context.readers.hasItemKeys
                let (expected, got) =
                    feed.style == .page
                    ? (previous.page + 1, answer.page)
                    : (previous.start + previous.items.count, answer.start)
                guard got == expected || (mayBeLater && got > expected) else {
                    throw BrokenRule(
                        .list, "received a page from \(got) on after a page up to \(expected)")
                }
            } else if received.isReplacing, index == 0, answer.start != start(of: received),
                feed.style != .cursor || answer.start != 0
            {
                throw BrokenRule(
                    .list, "the list begins at \(answer.start), not at \(start(of: received))")
            }
            previous = answer
        }
        guard let last = answers.last, answers.count == received.pages else { return }
        let isFull = !context.readers.statesMore && last.items.count == ModelFeed.size
        // In the style `cursor`, the cursor decides whether more items follow.
        if received.hasMore != last.hasMore, !isFull || feed.style == .cursor {
            throw BrokenRule(
                .list, "`more` is \(received.hasMore), and the model has more: \(last.hasMore)")
        }
    }

    /// Checks that each answer is newer than the last change that was reported before the load
    /// began. If the feed has a cache, some loads accept stale answers. A further page is then
    /// newer than each change that was reported before the answer with the first page.
    private func checkAge(
        of answers: [ModelAnswer], _ received: ReceivedItems, _ load: Load?,
        in context: ReaderContext
    ) throws(BrokenRule) {
        guard var began = context.ledger.loadStarts[context.load] else { return }
        if context.readers.keepsPages {
            guard received.isReplacing || firstAnswer != nil else { return }
            let cause = load?.cause ?? "fill"
            if received.isReplacing, ["fill", "visual", "initial", "query"].contains(cause) {
                return
            }
            if !received.isReplacing, let firstAnswer { began = firstAnswer.moment }
        }
        guard let report = context.lists.lastReport(of: feed, before: began) else { return }
        for answer in answers where answer.moment < report {
            throw BrokenRule(
                .list,
                "received an answer from \(answer.moment.milliseconds) ms, but a change was "
                    + "reported at \(report.milliseconds) ms and the load began at "
                    + "\(began.milliseconds) ms")
        }
    }
}
