internal import RefreshProtocol

/// What the cache keeps of one request.
struct KeptAnswer: Sendable {
    /// A page, and until when it may be given.
    struct KeptPage: Sendable {
        let page: Page
        /// The number of the call that gave it; calls are numbered as they begin.
        let call: FlightID
        var freshUntil: Instant
        let staleMs: Int
        /// For how long an equal refresh gets it, whoever asks.
        var coolDownUntil: Instant
        /// Whether the feed has changed since it was asked for.
        var isOvertaken = false

        var staleUntil: Instant { freshUntil.advanced(byMilliseconds: Double(staleMs)) }

        func isOver(at now: Instant) -> Bool {
            freshUntil <= now && staleUntil <= now && coolDownUntil <= now
        }

        /// What was asked for before the feed changed is stale since then.
        mutating func apply(_ change: Change) {
            guard call.number <= change.lastCall.number else { return }
            isOvertaken = true
            freshUntil = min(freshUntil, change.at)
            coolDownUntil = min(coolDownUntil, change.at)
        }
    }

    /// That a feed has newer data.
    struct Change: Sendable {
        let at: Instant
        /// The last call, of whichever feed, that began before.
        let lastCall: FlightID
    }

    struct KeptFailure: Sendable {
        let failure: LoadFailure
        /// The number of the call that failed.
        let call: FlightID
        var until: Instant

        /// What was asked for before the feed changed may be answered now.
        mutating func apply(_ change: Change) {
            guard call.number <= change.lastCall.number else { return }
            until = min(until, change.at)
        }
    }

    let key: RequestKey
    let feed: Int
    var page: KeptPage?
    var failure: KeptFailure?

    /// Bytes that it takes, about: what texts and items have, and 512 for the rest of it.
    var bytes: Int {
        let request = key.request
        var bytes = 512 + request.feed.utf8.count + (request.cursor?.utf8.count ?? 0)
        bytes += request.subject?.utf8.count ?? 0
        for parameter in request.parameters {
            bytes += 64 + parameter.name.utf8.count
            if case .text(let text) = parameter.value { bytes += text.utf8.count }
        }
        for header in request.headers {
            bytes += 32 + header.name.utf8.count + header.value.utf8.count
        }
        bytes += failure?.failure.message.utf8.count ?? 0
        if let page = page?.page {
            bytes += page.items.count + (page.cursor?.utf8.count ?? 0)
            bytes += (page.itemKeys?.elements.count ?? 0) * 16
            bytes += (page.itemKeys?.hashes.count ?? 0) * 16
        }
        return bytes
    }
}
