/// What a worker says. Source: docs/backends.md, "The line protocol".
package enum WorkerMessage: Hashable, Sendable {
    case page(FlightID, Page)
    case failed(FlightID, LoadFailure)
    /// How far a load is, 0...1.
    case progress(FlightID, Double)
    /// The feed of that name has newer data.
    case changed(String)
    case register(WorkerRegistration)
}

/// How a worker that connects in presents itself.
package struct WorkerRegistration: Hashable, Sendable {
    package var token: String
    /// The feeds it serves, each once; at least one.
    package var feeds: [String]
    /// Loads at a time, 1...1000.
    package var capacity: Int

    package static let capacityRange = 1...1000
    package static var feedsMax: Int { 1024 }

    package init(token: String, feeds: [String], capacity: Int = 1) {
        self.token = token
        self.feeds = feeds
        self.capacity = capacity
    }
}
