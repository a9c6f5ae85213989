/// One step of a scenario: a line, or a block of lines.
package struct Step: Hashable, Sendable {
    package var position: SourcePosition
    /// The step as written in the file, for the report.
    package var text: String
    package var action: Action
    /// The name of the client; nil for the unnamed one.
    package var client: String?
    /// The time limit, ms; nil for the default.
    package var limitMs: Double?

    package init(
        position: SourcePosition, text: String, action: Action, client: String? = nil,
        limitMs: Double? = nil
    ) {
        self.position = position
        self.text = text
        self.action = action
        self.client = client
        self.limitMs = limitMs
    }

    /// Whether the step uses only the existing connection of the unnamed client, without delayed
    /// frames and random values.
    package var isOfOneConnection: Bool {
        switch action {
        case .late, .network, .random, .wander, .atOnce, .expect(.fenced): false
        default: client == nil
        }
    }

    /// The action of a step.
    package indirect enum Action: Hashable, Sendable {
        /// Sends one message. The pattern contains only values and variables.
        case send(Pattern)
        /// Sends messages in one frame.
        case sendBatch([Pattern])
        /// Sends a frame unchanged.
        case sendRaw(String)
        /// Sends a frame by `send`, `sendBatch` or `sendRaw`, delayed by this many milliseconds.
        /// Frames that are sent during the delay arrive before the delayed frame.
        case late(Double, Action)
        case gesture(Gesture)
        /// Random gestures.
        case wander(RandomGestures)
        /// Simulates an event from the backend of a feed.
        case feedEvent(FeedEvent, feed: String)
        /// Waits for this time, in milliseconds.
        case wait(Double)
        /// Marks all unread messages as read.
        case skip
        case expect(Expectation)
        /// Assigns a value to a variable.
        case assign(String, Pattern)
        case network(NetworkChange)
        /// Seeds the random generator.
        case random(seed: UInt64)
        /// Runs these steps at the same time. Blocks cannot be nested.
        case atOnce([Step])
    }
}

/// A change to the connection of a client. Source: docs/scenarios.md, "The network".
package enum NetworkChange: Hashable, Sendable {
    /// Each frame is delayed by this time, plus or minus the spread.
    case latency(ms: Double, spreadMs: Double)
    /// Every n-th sample arrives after the next frame. If `every` is nil, samples are not
    /// reordered.
    case reorder(every: Int?)
    /// Cuts the connection.
    case drop
    /// Opens another connection, on which the session resumes. The fields are added to the `hello`
    /// of that connection.
    case reconnect([Pattern.Field])
}
