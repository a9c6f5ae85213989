internal import RefreshBroker
internal import RefreshProtocol

/// The offers of a `WorkerPool` to the workers on the message bus. The pool does not know these
/// workers: the bus delivers each offer to one of them, and the worker becomes known by its first
/// answer. Source: docs/cluster.md, "Workers on the bus".
struct LoadOffers: Sendable {
    /// An offer that has not ended.
    struct Offer: Hashable, Sendable {
        let load: CallID
        let kind: WorkKind
        /// The worker that has taken the load; nil until the first answer.
        var worker: BusWorkerID?
        /// The time until which the next answer must arrive.
        var due: Instant
        /// The last progress that the worker has reported. Repeated values only show that the
        /// worker is alive.
        var progress = 0.0
    }

    /// Whether workers on the bus serve a feed, as far as is known.
    enum Availability: Hashable, Sendable {
        /// All loads may be offered.
        case open
        /// No worker has subscribed. No load is offered before this time.
        case closed(until: Instant)
        /// One load was offered to find out whether there is a worker now.
        case probing(LoadOfferID)
    }

    /// The time in which a worker must take a load, milliseconds.
    static let takeMs = 1000.0
    /// The silence in milliseconds after which the worker that has taken a load counts as lost.
    static let silenceMs = 3500.0
    /// The time in milliseconds after which a load is offered again if there was no worker.
    static let noWorkerMs = 500.0
    /// The maximum number of offers of a feed that no worker has taken yet. Without it, the first
    /// answer of one worker would publish the whole queue.
    static let untakenMax = 16

    /// The feeds that workers on the bus may serve, in ascending order.
    let feeds: [String]
    /// The loads and the edits of these feeds.
    let kinds: [WorkKind]
    private let newNumber: @Sendable () -> UInt64
    var isConnected = false
    private(set) var offers: [LoadOfferID: Offer] = [:]
    private var availability: [WorkKind: Availability] = [:]
    /// The number of loads that a worker on the bus has taken.
    private(set) var takenCount = 0
    /// The number of offers of each feed that no worker has taken.
    private var untaken: [WorkKind: Int] = [:]
    /// An entry may be earlier than the `due` of its offer, which answers put off.
    private var deadlines = DueQueue<NumberedDeadline<LoadOfferID>>()
    private var serial: UInt64 = 0

    /// `newNumber` draws the numbers of the offers. They must be unpredictable, because a number
    /// permits its holder to answer the offer.
    init(feeds: Set<String>, newNumber: @escaping @Sendable () -> UInt64) {
        self.feeds = feeds.sorted()
        kinds = self.feeds.flatMap { [WorkKind($0), WorkKind($0, isForEdits: true)] }
        self.newNumber = newNumber
    }

    subscript(id: LoadOfferID) -> Offer? { offers[id] }

    /// Returns whether a message about the offer may come from this worker: the worker has taken
    /// the load, or no worker has.
    func accepts(_ id: LoadOfferID, from worker: BusWorkerID) -> Bool {
        guard let offer = offers[id] else { return false }
        return offer.worker == nil || offer.worker == worker
    }

    // MARK: Offers

    /// Returns whether a load of the kind may be offered now.
    func mayOffer(_ kind: WorkKind, at now: Instant) -> Bool {
        switch availability[kind] ?? .open {
        case .open: isConnected && untaken[kind, default: 0] < Self.untakenMax
        case .closed(let until): isConnected && until <= now
        case .probing: false
        }
    }

    /// Adds an offer of a load.
    mutating func open(_ load: CallID, of kind: WorkKind, at now: Instant) -> LoadOfferID {
        var id = LoadOfferID(newNumber())
        while offers[id] != nil { id = LoadOfferID(newNumber()) }
        let due = now.advanced(byMilliseconds: Self.takeMs)
        offers[id] = Offer(load: load, kind: kind, due: due)
        untaken[kind, default: 0] += 1
        insertDeadline(of: id, at: due)
        if case .closed = availability[kind] { availability[kind] = .probing(id) }
        return id
    }

    /// Records an answer of a worker, which takes the load with its first answer. Later answers do
    /// not show that a worker has a free place, so they do not open the feed.
    mutating func recordAnswer(_ id: LoadOfferID, from worker: BusWorkerID, at now: Instant) {
        guard let offer = offers[id] else { return }
        offers[id]?.due = now.advanced(byMilliseconds: Self.silenceMs)
        guard offer.worker == nil else { return }
        offers[id]?.worker = worker
        countUntaken(offer.kind, by: -1)
        takenCount += 1
        availability[offer.kind] = nil
    }

    /// Records the progress of a load. Returns false if the worker has only repeated its value.
    mutating func recordProgress(_ id: LoadOfferID, _ progress: Double) -> Bool {
        guard let offer = offers[id], offer.progress != progress else { return false }
        offers[id]?.progress = progress
        return true
    }

    /// Ends an offer that is not needed or was answered.
    mutating func close(_ id: LoadOfferID, at now: Instant) -> Offer? {
        guard let offer = remove(id) else { return nil }
        switch availability[offer.kind] {
        // The answer to a probe is still unknown, so that another load must find it out.
        case .probing(id): availability[offer.kind] = .closed(until: now)
        // The worker has a free place now.
        case .closed where offer.worker != nil: availability[offer.kind] = .closed(until: now)
        case .closed, .probing, .open, nil: break
        }
        return offer
    }

    /// Ends an offer that no worker has received. Returns nil if the offer is not open, or if a
    /// worker has taken the load.
    mutating func refuse(_ id: LoadOfferID, at now: Instant) -> Offer? {
        guard offers[id]?.worker == nil, let offer = remove(id) else { return nil }
        availability[offer.kind] = .closed(until: now.advanced(byMilliseconds: Self.noWorkerMs))
        return offer
    }

    /// Ends and returns the offers without an answer in time, oldest first.
    mutating func removeOverdue(at now: Instant) -> [(LoadOfferID, Offer)] {
        var overdue: [(LoadOfferID, Offer)] = []
        while let entry = deadlines.first {
            let offer = offers[entry.name]
            guard offer == nil || entry.deadline <= now else { break }
            deadlines.removeFirst()
            guard let offer else { continue }
            guard offer.due <= now else {
                insertDeadline(of: entry.name, at: offer.due)
                continue
            }
            _ = remove(entry.name)
            // A worker has received the offer, or the offer was lost.
            if availability[offer.kind] == .probing(entry.name) { availability[offer.kind] = nil }
            overdue.append((entry.name, offer))
        }
        return overdue
    }

    /// Ends and returns all offers.
    mutating func removeAll() -> [(LoadOfferID, Offer)] {
        defer {
            offers = [:]
            (takenCount, untaken) = (0, [:])
            availability = [:]
            deadlines = DueQueue()
        }
        return offers.map { ($0.key, $0.value) }
    }

    /// The time at which an offer is overdue, or at which a load of one of these feeds may be
    /// offered again.
    func nextDeadline(isWaiting: (WorkKind) -> Bool) -> Instant? {
        var next = deadlines.nextDeadline
        guard isConnected else { return next }
        for (kind, availability) in availability {
            guard case .closed(let until) = availability, isWaiting(kind) else { continue }
            next = min(next ?? until, until)
        }
        return next
    }

    private mutating func remove(_ id: LoadOfferID) -> Offer? {
        guard let offer = offers.removeValue(forKey: id) else { return nil }
        if offer.worker == nil { countUntaken(offer.kind, by: -1) } else { takenCount -= 1 }
        return offer
    }

    private mutating func countUntaken(_ kind: WorkKind, by difference: Int) {
        let count = untaken[kind, default: 0] + difference
        untaken[kind] = count > 0 ? count : nil
    }

    private mutating func insertDeadline(of id: LoadOfferID, at deadline: Instant) {
        // The entries of ended offers are removed together, so that their number is limited.
        if deadlines.count > 2 * offers.count + 64 {
            let offers = offers
            deadlines.retain { offers[$0.name] != nil }
        }
        serial += 1
        deadlines.insert(id, at: deadline, serial: serial)
    }
}
