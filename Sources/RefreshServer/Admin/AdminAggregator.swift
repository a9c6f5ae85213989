internal import RefreshCluster
internal import RefreshProtocol
internal import RefreshSession
internal import WebSocketTransport

/// Runs the admin requests that arrive at one event loop, on the thread of that loop. Each request
/// is sent to all loops, because each loop has a part of the sessions. The request is answered when
/// all loops have replied, or at its deadline.
///
///     HTTPRequest -> AdminAggregator -> mailboxes of all loops -> SessionHost
///                              -> mailbox of this loop -> answer
///
/// Requests about the nodes of a cluster are sent to the broker's thread too.
final class AdminAggregator {
    private struct PendingAdminRequest {
        let ticket: HTTPTicket
        let order: AdminOrder
        let due: Instant
        /// The number of loops that have not replied.
        var missing: Int
        var rows: [SessionRow] = []
        /// The sessions of the other nodes, if the request is about them.
        var nodes: ClusterSessions?
    }

    /// The time limit for the replies of the loops, in milliseconds.
    static let replyTimeoutMs = 5000
    /// The maximum number of requests that may be pending at one time.
    static let pendingRequestsMax = 64

    private let directory: LoopDirectory
    private let cluster: ClusterService?
    private let post: @Sendable (@escaping @Sendable (AdminAggregator) -> Void) -> Void
    private let answer: (HTTPTicket, HTTPResponse) -> Void
    private var pendingRequests: [UInt64: PendingAdminRequest] = [:]
    private var lastNumber: UInt64 = 0

    /// `post` may be called on any thread. It runs a job on the loop's thread, and passes this
    /// object to the job. `answer` is called on the loop's thread.
    init(
        _ directory: LoopDirectory, _ cluster: ClusterService?,
        post: @escaping @Sendable (@escaping @Sendable (AdminAggregator) -> Void) -> Void,
        answer: @escaping (HTTPTicket, HTTPResponse) -> Void
    ) {
        self.directory = directory
        self.cluster = cluster
        self.post = post
        self.answer = answer
    }

    /// Starts a request. `answer` is called later, never within this call.
    func start(_ order: AdminOrder, for ticket: HTTPTicket, at now: Instant) {
        guard pendingRequests.count < Self.pendingRequestsMax else {
            return post { $0.answerTooBusy(ticket) }
        }
        let isOfCluster = order == .cluster || order.isListOfCluster
        if isOfCluster, cluster == nil { return post { $0.answer(ticket, .noCluster) } }
        let hosts = order == .cluster ? [] : directory.all
        lastNumber += 1
        let number = lastNumber
        pendingRequests[number] = PendingAdminRequest(
            ticket: ticket, order: order,
            due: now.advanced(byMilliseconds: Double(Self.replyTimeoutMs)),
            missing: hosts.count + (isOfCluster ? 1 : 0))
        for host in hosts {
            host.post { [post] host, now in
                host.perform(order, at: now) { part in post { $0.handleReply(part, of: number) } }
            }
        }
        if isOfCluster { askCluster(order, number) }
    }

    /// Sends a request about other nodes to the broker's thread.
    private func askCluster(_ order: AdminOrder, _ number: UInt64) {
        guard case .list(let after, _) = order else {
            cluster?.describe { [post] json in
                post {
                    $0.handleReply(.answer(json.map(HTTPResponse.json) ?? .tooBusy), of: number)
                }
            }
            return
        }
        cluster?.list(after: after) { [post] sessions in
            post { $0.handleReply(sessions.map { .nodes($0) } ?? .answer(.tooBusy), of: number) }
        }
    }

    /// Handles the reply of one loop.
    private func handleReply(_ part: AdminPart, of number: UInt64) {
        // The request is absent if another loop has already answered it, or if its deadline has
        // passed.
        guard var pendingRequest = pendingRequests.removeValue(forKey: number) else { return }
        pendingRequest.missing -= 1
        switch part {
        case .answer(let response): return answer(pendingRequest.ticket, response)
        case .rows(let rows): pendingRequest.rows += rows
        case .nodes(let sessions): pendingRequest.nodes = sessions
        case .nothing: break
        }
        guard pendingRequest.missing <= 0 else {
            pendingRequests[number] = pendingRequest
            return
        }
        answer(pendingRequest.ticket, response(to: pendingRequest))
    }

    private func response(to pendingRequest: PendingAdminRequest) -> HTTPResponse {
        guard pendingRequest.order.session == nil else {
            return .fault(
                status: 404, code: "unknownSession", message: "There is no session of that name.")
        }
        if var all = pendingRequest.nodes, let cluster {
            all.add(SessionPage(pendingRequest.rows), of: cluster.own)
            return .json(all.json)
        }
        return .json(SessionRow.page(of: pendingRequest.rows, most: SessionList.pageSize))
    }

    /// The earliest deadline of a pending request.
    var nextDeadline: Instant? { pendingRequests.values.map(\.due).min() }

    func expireRequests(at now: Instant) {
        for (number, pendingRequest) in pendingRequests where pendingRequest.due <= now {
            pendingRequests[number] = nil
            answerTooBusy(pendingRequest.ticket)
        }
    }

    private func answerTooBusy(_ ticket: HTTPTicket) { answer(ticket, .tooBusy) }
}

extension HTTPResponse {
    fileprivate static var tooBusy: HTTPResponse {
        var response = HTTPResponse.fault(
            status: 503, code: "tooBusy", message: "The daemon is too busy to answer.")
        response.headers.append((name: "retry-after", value: "1"))
        return response
    }

    fileprivate static var noCluster: HTTPResponse {
        .fault(
            status: 404, code: "noCluster",
            message: "The configuration has no cluster, so this daemon has no other nodes.")
    }

    /// Creates an answer in JSON that must not be cached.
    static func json(_ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [("content-type", "application/json"), ("cache-control", "no-store")],
            body: body)
    }
}
