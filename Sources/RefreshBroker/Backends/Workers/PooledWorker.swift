/// What the pool knows of a worker.
struct PooledWorker: Sendable {
    let feeds: Set<String>
    let capacity: Int
    /// The loads that it has and somebody waits for.
    var held: Set<FlightID> = []
    /// The loads that were taken back and take a place until they are answered; by the serial of
    /// their grace.
    var takenBack: [FlightID: UInt64] = [:]
    /// When it last got a load or came, in the pool's count of events.
    var servedAt: UInt64

    init(feeds: Set<String>, capacity: Int, servedAt: UInt64) {
        self.feeds = feeds
        self.capacity = capacity
        self.servedAt = servedAt
    }

    /// Places taken.
    var used: Int { held.count + takenBack.count }

    /// Whether the next load goes rather here.
    func precedes(_ other: PooledWorker) -> Bool {
        let (mine, others) = (used * other.capacity, other.used * capacity)
        return mine == others ? servedAt < other.servedAt : mine < others
    }
}
