/// The checks of an upgrade that do not depend on the server's policy. They refuse requests that no
/// WebSocket server should accept, although libwebsockets would accept them. The results depend
/// only on the input.
enum UpgradeGate {
    /// Returns the refusal if the upgrade is not well formed, or nil if it is.
    static func refusal(of head: RequestHead) -> HTTPResponse? {
        guard head.method == "GET" else {
            return methodRefusal("An upgrade must be a GET request.", allow: "GET")
        }
        guard let upgrade = head.upgrade, upgrade.lowercased() == "websocket" else {
            return .fault(
                status: 400, code: "upgradeUnknown",
                message: "Only an upgrade to websocket is supported.")
        }
        guard head.version == "HTTP/1.1" else {
            return .fault(
                status: 400, code: "versionUnknown", message: "An upgrade needs HTTP/1.1.")
        }
        guard head.webSocketVersion == "13" else {
            var response = HTTPResponse.fault(
                status: 426, code: "versionUnsupported",
                message: "Only WebSocket version 13 is supported.")
            response.headers.append((name: "sec-websocket-version", value: "13"))
            return response
        }
        // If the `Connection` header has 120 bytes or more, libwebsockets closes the connection
        // without an answer.
        guard let connection = head.connection, connection.utf8.count < 120,
            HeaderText.list(connection, contains: "upgrade")
        else {
            return .fault(
                status: 400, code: "connectionHeader",
                message: "The Connection header does not contain upgrade.")
        }
        guard let key = head.webSocketKey, HeaderText.isNonce(key) else {
            return .fault(
                status: 400, code: "keyHeader",
                message: "Sec-WebSocket-Key is not 16 bytes in base 64.")
        }
        guard head.host != nil else {
            return .fault(status: 400, code: "hostMissing", message: "The Host header is missing.")
        }
        guard !head.hasBody else {
            return .fault(
                status: 400, code: "bodyRefused", message: "An upgrade must not have a body.")
        }
        return nil
    }

    /// Returns the offered subprotocols, or nil if libwebsockets cannot read the list.
    static func subprotocols(of head: RequestHead) -> [String]? {
        guard let list = head.subprotocols else { return [] }
        guard list.utf8.count < 120, let tokens = HeaderText.tokens(list),
            tokens.allSatisfy({ $0.utf8.count < 64 })
        else { return nil }
        return tokens
    }

    /// The answer to a list of subprotocols that cannot be read, or that contains no supported
    /// subprotocol. Such a client has no session yet, so the answer names the page that a
    /// `diagnostic` would name.
    static let subprotocolRefusal = HTTPResponse.fault(
        status: 400, code: "subprotocolUnknown",
        message: "None of the offered subprotocols is supported.",
        page: "docs/start.md#subprotocol")

    /// The answer to a request that must not have a body.
    static let bodyRefusal = HTTPResponse.fault(
        status: 413, code: "bodyRefused", message: "This request must not have a body.")

    /// The answer to a request whose body is too long.
    static let bodyTooLargeRefusal = HTTPResponse.fault(
        status: 413, code: "tooLarge", message: "The body is too long.")

    /// The answer to a request whose body is not read, because too many bodies are being read.
    static let tooManyBodiesRefusal: HTTPResponse = {
        var response = HTTPResponse.fault(
            status: 503, code: "tooManyBodies", message: "Too many bodies are being read.")
        response.headers.append((name: "retry-after", value: "1"))
        return response
    }()

    /// The answer to a request whose body does not have a valid length.
    static let bodyLengthRefusal = HTTPResponse.fault(
        status: 413, code: "bodyRefused",
        message: "The length of the body is not one valid Content-Length above 0.")

    /// The answer to a request that has a body and arrived before the previous answer was sent.
    static let pipelinedBodyRefusal = HTTPResponse.fault(
        status: 400, code: "sentBeforeResponse",
        message: "A request with a body may be sent only after the response to the previous one.")

    /// The answer to a head with malformed lines.
    static let malformedHeadRefusal = HTTPResponse.fault(
        status: 400, code: "headMalformed",
        message: "A header line is not a name, a colon and a value, or cannot be read safely.")

    /// The answer to an upgrade whose head is directly followed by data.
    static let hasteRefusal = HTTPResponse.fault(
        status: 400, code: "sentBeforeUpgrade",
        message: "Frames may be sent only after the response to the upgrade.")

    /// The answer to a request with a method that the transport does not pass to its handler.
    static let unknownMethodRefusal = methodRefusal(
        "Only GET, HEAD, POST and DELETE are supported.", allow: "GET, HEAD, POST, DELETE")

    private static func methodRefusal(_ message: StaticString, allow methods: String)
        -> HTTPResponse
    {
        var response = HTTPResponse.fault(
            status: 405, code: "methodNotAllowed", message: message)
        response.headers.append((name: "allow", value: methods))
        return response
    }
}

/// The parameters that the handler has set for an accepted upgrade. They are stored until the
/// connection is open.
final class Admission {
    let messageBytesMax: Int
    let tag: Int
    let loosePerSecondMax: Int
    /// The initial value of `Connection.owner`.
    let owner: AnyObject?

    init(messageBytesMax: Int, tag: Int, loosePerSecondMax: Int = .max, owner: AnyObject? = nil) {
        self.messageBytesMax = messageBytesMax
        self.tag = tag
        self.loosePerSecondMax = loosePerSecondMax
        self.owner = owner
    }
}

/// The decision about an upgrade.
package enum UpgradeDecision: Sendable {
    /// The upgrade is accepted.
    ///
    /// - `messageBytesMax`: the maximum size of a received message, bytes. A longer message closes
    ///   the connection with 1009.
    /// - `tag`: the value of `Connection.tag`. The handler chooses it to recognize the connection
    ///   or its kind.
    /// - `subprotocol`: the index of the chosen name in `LoopConfiguration.subprotocols`.
    /// - `loosePerSecondMax`: the rate limit for fragments of messages and for pongs with a
    ///   payload, in frames per second. A burst can have twice this number of frames.
    /// - `owner`: the initial `Connection.owner`, set before the connection is opened.
    case accept(
        messageBytesMax: Int, tag: Int, subprotocol: Int = 0, loosePerSecondMax: Int = .max,
        owner: (any AnyObject & Sendable)? = nil)
    /// The upgrade is refused with this answer. After the answer, the connection is closed.
    case refuse(HTTPResponse)
}
