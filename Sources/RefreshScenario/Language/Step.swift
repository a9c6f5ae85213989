/// One line of a scenario.
package struct Step: Hashable, Sendable {
    package var position: SourcePosition
    /// As it stands in the file, for the report.
    package var text: String
    package var action: Action

    package init(position: SourcePosition, text: String, action: Action) {
        self.position = position
        self.text = text
        self.action = action
    }

    /// What a step does.
    package enum Action: Hashable, Sendable {
        /// Sends one message; the pattern holds values and variables only.
        case send(Pattern)
        /// Sends messages in one frame.
        case sendBatch([Pattern])
        /// Sends a frame as it is.
        case sendRaw(String)
        case gesture(Gesture)
        /// Says what the other side of a feed says.
        case say(FeedWord, feed: String)
        /// Lets milliseconds pass.
        case wait(Double)
        /// Counts everything unread as read.
        case skip
        case expect(Expectation)
    }
}
