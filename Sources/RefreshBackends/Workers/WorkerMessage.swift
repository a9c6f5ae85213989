package import RefreshBroker

/// A message from a worker. Source: docs/backends.md, "The line protocol".
package enum WorkerMessage: Hashable, Sendable {
    case page(CallID, Page)
    /// An edit was performed. `item` is the JSON text of the item as it is now, an object; nil if
    /// the worker returns none.
    case edited(CallID, item: [UInt8]?)
    case failed(CallID, LoadFailure)
    /// The progress of a load, 0...1.
    case progress(CallID, Double)
    /// A feed has newer data.
    case changed(FeedChange)
    case register(WorkerRegistration)
}

/// The registration of a worker that connects to the daemon.
package struct WorkerRegistration: Hashable, Sendable {
    package var token: String
    /// The feeds that the worker serves: at least one, without duplicates.
    package var feeds: [String]
    /// The maximum number of loads that the worker processes at the same time, 1...1000.
    package var capacity: Int
    /// Whether the worker performs edits.
    package var edits: Bool

    package static let capacityRange = 1...1000
    package static var feedsMax: Int { 1024 }

    package init(token: String, feeds: [String], capacity: Int = 1, edits: Bool = false) {
        self.token = token
        self.feeds = feeds
        self.capacity = capacity
        self.edits = edits
    }
}
