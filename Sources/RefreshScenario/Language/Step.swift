/// One line of a scenario.
package struct Step: Hashable, Sendable {
    package var position: SourcePosition
    /// As it stands in the file, for the report.
    package var text: String
    package var action: Action
    /// Whose it is; nil: that of the client without a name.
    package var client: String?
    /// How long it may take, ms; nil: as long as any.
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

    /// Whether it is done over the connection that there is, and by nobody else's clock or chance.
    package var isOfOneConnection: Bool {
        switch action {
        case .late, .network, .random, .wander, .atOnce, .expect(.fenced): false
        default: client == nil
        }
    }

    /// What a step does.
    package indirect enum Action: Hashable, Sendable {
        /// Sends one message; the pattern holds values and variables only.
        case send(Pattern)
        /// Sends messages in one frame.
        case sendBatch([Pattern])
        /// Sends a frame as it is.
        case sendRaw(String)
        /// What it sends, another of these three, arrives milliseconds later than what is sent
        /// meanwhile.
        case late(Double, Action)
        case gesture(Gesture)
        /// Gestures drawn at random.
        case wander(Wandering)
        /// Says what the other side of a feed says.
        case say(FeedWord, feed: String)
        /// Lets milliseconds pass.
        case wait(Double)
        /// Counts everything unread as read.
        case skip
        case expect(Expectation)
        /// Gives a variable a value.
        case assign(String, Pattern)
        case network(NetworkChange)
        /// What is drawn from now on comes from this seed.
        case random(seed: UInt64)
        /// These at one time; none of them is such a block.
        case atOnce([Step])
    }
}

/// What happens to the connection of a client. Source: docs/scenarios.md, "The network".
package enum NetworkChange: Hashable, Sendable {
    /// Each frame takes so long, give or take the spread.
    case latency(ms: Double, spreadMs: Double)
    /// Of the samples each so many is overtaken; nil: none.
    case reorder(every: Int?)
    /// The connection is cut off.
    case drop
    /// Another connection, over which the session goes on; the fields are added to its `hello`.
    case reconnect([Pattern.Field])
}
