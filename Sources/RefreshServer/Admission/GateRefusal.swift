package import WebSocketTransport

/// Why a request is refused. Source: docs/protocol.md, "Transport".
package enum GateRefusal: Error, CaseIterable, Sendable {
    case hostMalformed
    case hostNotAllowed
    case originNotAllowed
    case proxyNotConfigured
    case tokenRequired
    case tokenNotAllowed
    case notFound
    case tooManySessions
    case tooManyWorkers
    case tooManyWatchers
    case tooManyConnections
    case tooManyHandshakes
    case outOfMemory
    case outOfFiles
    case draining

    package var status: Int {
        switch self {
        case .hostMalformed, .hostNotAllowed: 400
        case .tokenRequired: 401
        case .originNotAllowed, .proxyNotConfigured, .tokenNotAllowed: 403
        case .notFound: 404
        case .tooManySessions, .tooManyWorkers, .tooManyWatchers, .tooManyConnections,
            .tooManyHandshakes, .outOfMemory, .outOfFiles, .draining:
            503
        }
    }

    /// The number of seconds after which a retry may succeed; nil: a retry never succeeds.
    package var retryAfterSeconds: Int? {
        switch self {
        case .hostMalformed, .hostNotAllowed, .originNotAllowed, .proxyNotConfigured,
            .tokenRequired, .tokenNotAllowed, .notFound:
            nil
        case .tooManyHandshakes, .draining: 1
        case .tooManySessions, .tooManyWorkers, .tooManyWatchers, .tooManyConnections, .outOfFiles:
            5
        case .outOfMemory: 10
        }
    }

    /// The answer in JSON: `{"code":…,"message":…}`.
    package var response: HTTPResponse {
        var response = fault
        if let seconds = retryAfterSeconds {
            response.headers.append((name: "retry-after", value: String(seconds)))
        }
        if self == .tokenRequired {
            response.headers.append((name: "www-authenticate", value: "Bearer"))
        }
        return response
    }

    private var fault: HTTPResponse {
        switch self {
        case .hostMalformed:
            .fault(
                status: status, code: "hostMalformed",
                message: "The Host header is missing or malformed.")
        case .hostNotAllowed:
            .fault(
                status: status, code: "hostNotAllowed",
                message: "On a loopback listener the host must be a loopback name with its port.")
        case .originNotAllowed:
            .fault(
                status: status, code: "originNotAllowed",
                message: "Pages of this origin may not open sessions.")
        case .proxyNotConfigured:
            .fault(
                status: status, code: "proxyNotConfigured",
                message:
                    "The request came through a proxy, but neither `auth` nor `proxies` is set.")
        case .tokenRequired:
            .fault(
                status: status, code: "tokenRequired",
                message: "This request requires a known token.")
        case .tokenNotAllowed:
            .fault(
                status: status, code: "tokenNotAllowed",
                message: "This token does not permit the request.")
        case .notFound:
            .fault(status: status, code: "notFound", message: "Nothing is served at this path.")
        case .tooManySessions:
            .fault(
                status: status, code: "tooManySessions",
                message: "The daemon already serves the maximum number of sessions.")
        case .tooManyWorkers:
            .fault(
                status: status, code: "tooManyWorkers",
                message: "The daemon already has the maximum number of workers.")
        case .tooManyWatchers:
            .fault(
                status: status, code: "tooManyWatchers",
                message: "The daemon already has the maximum number of watchers.")
        case .tooManyConnections:
            .fault(
                status: status, code: "tooManyConnections",
                message:
                    "The maximum number of connections is reached, in total or for this address.")
        case .tooManyHandshakes:
            .fault(
                status: status, code: "tooManyHandshakes",
                message: "More connections are opened in a second than the limits allow.")
        case .outOfMemory:
            .fault(
                status: status, code: "outOfMemory",
                message: "The daemon has reached its memory limit.")
        case .outOfFiles:
            .fault(
                status: status, code: "outOfFiles",
                message: "The daemon has reached its limit of open files.")
        case .draining:
            .fault(status: status, code: "draining", message: "The daemon is stopping.")
        }
    }
}
