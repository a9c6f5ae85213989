internal import RefreshProtocol

/// A load of several pages, and all its waiters. Source: docs/protocol.md, "Refresh at depth".
///
/// Each page is requested like the page of any other load. It comes from the cache, from an equal
/// load that is running, or from a call of its own. The waiters of a series receive one answer,
/// which contains all pages.
struct SeriesLoad<Waiter: Sendable>: Sendable {
    let key: SeriesKey
    let feed: Int
    /// The trigger and the idempotency key of the waiter that started the load.
    let trigger: LoadTrigger
    let idempotencyKey: String
    /// The cached pages that the series accepts in place of new pages.
    let keptPages: KeptPages
    var collection: PageCollection
    var waiters = WaiterList<Waiter>()
    /// For each unanswered request for a page, by its number: the number of the load that answers
    /// it.
    var flights: [Int: UInt64] = [:]
}

/// The request for a series. Equal requests that overlap share one series.
struct SeriesKey: Hashable, Sendable {
    let request: RequestKey
    let series: PageSeries
    let keptPages: KeptPages
}

/// A request for a page of a series.
struct PageUse: Hashable, Sendable {
    let series: UInt64
    /// The number of the request (`PageCollection.Call.id`).
    let call: Int
}
