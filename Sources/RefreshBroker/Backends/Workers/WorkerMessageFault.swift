internal import RefreshProtocol

/// Why what a worker said is not understood.
package struct WorkerMessageFault: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// Not JSON as RFC 8259 has it, or nested too deep.
        case unreadable(AnswerFault)
        /// No object, or one without a known `type`.
        case unknownType
        /// A field is missing, of the wrong type, out of range, or there twice; its name.
        case field(String)
        /// Longer than allowed, bytes.
        case tooLong(max: Int)
        /// About a load or a feed that is none of its own.
        case foreign(String)
        /// A binary frame, or one that is not UTF-8.
        case notText
        /// More fragments and pongs in a second than may be.
        case tooManyFrames
    }

    package var reason: Reason
    /// The load it spoke of, where that could be read.
    package var load: FlightID?

    package init(_ reason: Reason, of load: FlightID? = nil) {
        self.reason = reason
        self.load = load
    }

    /// What becomes of the load it spoke of.
    package var failure: LoadFailure {
        switch reason {
        case .tooLong(let max):
            LoadFailure(
                .backendAnswerTooLarge, "The worker's answer is larger than \(max) bytes.")
        case .unreadable, .unknownType, .field, .foreign, .notText, .tooManyFrames:
            LoadFailure(.backendAnswerMalformed, "What the worker said is \(message).")
        }
    }

    /// For the log and the worker's developer; names places and fields, never contents.
    package var message: String {
        switch reason {
        case .unreadable(let fault): fault.message
        case .unknownType: "not an object with a `type` of the protocol"
        case .field(let name): "without a `\(name)` of the right type and range, or has it twice"
        case .tooLong(let max): "longer than \(max) bytes"
        case .foreign(let what): "about a \(what) that is not this worker's"
        case .notText: "not text in UTF-8"
        case .tooManyFrames: "in more frames than may be sent in a second"
        }
    }
}
