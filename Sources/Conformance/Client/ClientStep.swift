internal import RefreshProtocol
internal import ScenarioKit

/// One step of a case for clients. Times are milliseconds. Source: docs/conformance.md, "Steps of a
/// case for clients".
enum ClientStep: Sendable {
    case server(ServerAction)
    case client(ClientAction)
    case flow(FlowAction)
    case expect(ClientExpectation)

    /// The actions of the grading server.
    enum ServerAction: Sendable {
        /// Sends messages in one frame. If `isStrange` is true, the messages may deliberately
        /// violate the contract of the protocol.
        case send([Pattern], isStrange: Bool)
        /// Closes the connection with this code.
        case close(UInt16)
        /// Cuts the connection without a close frame.
        case cut
        /// Refuses this number of WebSocket upgrades with status 503.
        case refuseUpgrades(Int)
        /// Sets whether `ping` is answered.
        case setAnswersPings(Bool)
        /// Answers `bye` and closes the connection. Does nothing if the client has already ended
        /// the connection.
        case answerBye
    }

    /// The actions of the driver. If the server's answer to an action is always the same, the
    /// action includes the answer.
    enum ClientAction: Sendable {
        /// The name of an order to the driver, and the members of this order.
        case order(String, Pattern)
        /// A new client connects. The options replace members of the driver's command `connect`.
        case connect(Pattern)
        /// The server answers `hello` with `welcome`, and with `attached` for each view.
        case answerHello(Pattern)
        /// The client connects and sends `hello`, and the server answers it. The step ends when the
        /// client shows the view as attached.
        case open(Pattern)
        /// The user pulls and releases the list. The server opens a room before the list has sprung
        /// back.
        case springIntoRoom
    }

    /// The actions of the case itself.
    enum FlowAction: Sendable {
        case wait(Double)
        /// Discards the messages of these types that were received so far.
        case skip([String])
        case assign(String, Pattern)
        /// Measures how fast the driver answers, and sets the time limit of `promptly`.
        case measureDriver
        /// After this step, the client may end its connection.
        case allowDisconnect
        /// Compares a variable with a pattern.
        case check(String, WrittenPattern, FailureText)
        /// Ends the case as passed if the variable matches the pattern.
        case finishIf(String, WrittenPattern)
        /// Skips the case, with the given reason, if the view in the driver's last answer does not
        /// match.
        case requireShown(ViewForm, String)
    }
}

/// An expectation of a case for clients. A message is unread until an expectation has matched it.
/// Times are milliseconds.
enum ClientExpectation: Sendable {
    /// A message arrives, and is stored in the variable `name`.
    case message(MessageForm, MessageForm.Choice, Limit, name: String?)
    /// No message that matches the form is unread, and no such message arrives during this time.
    case noMessage(MessageForm, forMs: Double, FailureText)
    /// Messages of these types arrive, with increasing sequence numbers.
    case inOrder([String])
    /// At most this number of matching messages is unread.
    case atMost(Int, MessageForm, FailureText)
    /// The offsets of the unread `scroll` messages decrease.
    case fallingOffsets
    /// The times `t` of two stored messages differ by about the time between the arrivals of the
    /// messages.
    case clock(String, String)
    /// The view that the client shows matches the form, now or within the limit. The view is stored
    /// in the variable `name`.
    case shown(ViewForm, Limit, name: String?, FailureText)
    /// The view that the client shows matches the form, now and during this time.
    case staysShown(ViewForm, forMs: Double, FailureText)
    /// Most of the offsets that the client shows during this time match the pattern.
    case mostlyAt(WrittenPattern, forMs: Double, FailureText)
    /// The list comes to rest at this offset, and the client's last sample reports the offset.
    case settled(Amount)
    case status(String)
    /// The body of a view (the members that describe it) arrives, in `hello` or in `attach`.
    case body
    /// The client reports an error with this code to its host.
    case reportedError(String)
    case subprotocol(String)
    /// The client opens its next connection, no earlier than `notBeforeMs` after the last
    /// connection ended or was refused.
    case connection(Limit, notBeforeMs: Double?)
    /// The client opens its next connection within a second after the last connection ended.
    case connectionAtOnce
    /// The client opens its next connection and sends `hello`.
    case comeback
    case noConnection(forMs: Double)
    /// The client ends the connection.
    case disconnect

    /// The time within which an expectation must be met.
    enum Limit: Equatable, Sendable {
        /// The time that the command line gives the client for each expected action.
        case standardLimit
        case ms(Double)
        /// An immediate reaction. `FlowAction.measureDriver` sets this limit.
        case promptly

        /// Returns the limit for the wait for a connection. A limit that the step sets is returned
        /// unchanged. The standard limit is increased by the longest back-off of a client. This
        /// back-off is longer if the client must wait at least `notBeforeMs`.
        func includingBackOff(notBeforeMs: Double?, timeoutMs: Double) -> Limit {
            guard case .standardLimit = self else { return self }
            return .ms(timeoutMs + (notBeforeMs == nil ? 2000 : 5000))
        }
    }
}

/// A form that selects messages of a client.
struct MessageForm: Sendable {
    var types: [String]
    var pattern: WrittenPattern

    init(_ types: String..., matching pattern: WrittenPattern = .any) {
        self.init(types: types, matching: pattern)
    }

    init(types: [String], matching pattern: WrittenPattern) {
        self.types = types
        self.pattern = pattern
    }

    /// Which of the matching messages the form selects.
    enum Choice: Sendable {
        /// The first unread message, which must match.
        case next
        /// The first message that matches. The other messages stay unread.
        case any
        /// The last message that matches, after a short time in which no further message arrives.
        /// All messages of these types are then marked as read.
        case last
    }

    /// The form as written in the file of the suite.
    var text: String { types.joined(separator: " or ") + " " + pattern.text }
}

/// What a client must show of a view: the name of the view, and a pattern for the driver's report.
struct ViewForm: Sendable {
    var view: String
    var pattern: WrittenPattern
}

/// A pattern, with its text in the file of the suite.
struct WrittenPattern: Sendable {
    var pattern: Pattern
    var text: String

    init(_ pattern: Pattern, text: String) {
        self.pattern = pattern
        self.text = text
    }

    /// A pattern that matches every object.
    static let any = WrittenPattern([])

    /// Creates a pattern for an object with these fields.
    init(_ fields: [(name: String, pattern: Pattern)]) {
        pattern = .object(fields.map { Pattern.Field($0.name, $0.pattern) })
        let members = fields.map { field in
            if case .value(.string(let word)) = field.pattern { return "\(field.name): \(word)" }
            return "\(field.name): \(field.pattern)"
        }
        text = "{\(members.joined(separator: ", "))}"
    }
}

/// The text of a failure, for steps whose own text does not explain the failure.
struct FailureText: Sendable {
    /// The expected result. If it is nil, the report shows the step as written.
    var expected: String?
    /// The actual result. If it is nil, the report shows the compared value.
    var came: String?
}
