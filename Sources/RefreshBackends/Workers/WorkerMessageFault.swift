package import RefreshBroker
internal import RefreshProtocol

/// The reason why a worker's message is invalid.
package struct WorkerMessageFault: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// The message is not JSON as defined by RFC 8259, or it is nested too deeply.
        case unreadable(AnswerFault)
        /// The message is not an object, or has no known `type`.
        case unknownType
        /// A field is missing, of the wrong type, out of range or duplicate. The value is the name
        /// of the field.
        case field(String)
        /// The message is longer than `max` bytes.
        case tooLong(max: Int)
        /// The message refers to a load or a feed that does not belong to the worker. The value is
        /// `load` or `feed`.
        case foreign(String)
        /// The message is a binary frame, or its bytes are not UTF-8.
        case notText
        /// The worker sent more fragments and pongs in a second than are allowed.
        case tooManyFrames
    }

    package var reason: Reason
    /// The load that the message refers to; nil if the id of the load could not be read.
    package var load: CallID?

    package init(_ reason: Reason, of load: CallID? = nil) {
        self.reason = reason
        self.load = load
    }

    /// The failure with which the load of the message ends.
    package var failure: LoadFailure {
        switch reason {
        case .tooLong(let max):
            LoadFailure(
                .backendAnswerTooLarge, "The worker's answer is larger than \(max) bytes.")
        case .unreadable, .unknownType, .field, .foreign, .notText, .tooManyFrames:
            LoadFailure(.backendAnswerMalformed, "The worker's message is \(message).")
        }
    }

    /// A description for the log and the worker's developer. It contains positions and field names,
    /// but no other text of the message.
    package var message: String {
        switch reason {
        case .unreadable(let fault): fault.message
        case .unknownType: "not an object with a known `type`"
        case .field(let name):
            "invalid: `\(name)` is missing, has a wrong type or range, or occurs twice"
        case .tooLong(let max): "longer than \(max) bytes"
        case .foreign(let what): "about a \(what) that does not belong to this worker"
        case .notText: "not UTF-8 text"
        case .tooManyFrames: "in more frames than are allowed in a second"
        }
    }
}
