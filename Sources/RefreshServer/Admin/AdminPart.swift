internal import RefreshCluster
internal import RefreshSession
internal import WebSocketTransport

/// One loop's reply to a request.
enum AdminPart: Sendable {
    /// The loop's sessions, for the list.
    case rows([SessionRow])
    /// The sessions of the other nodes, for the list.
    case nodes(ClusterSessions)
    /// The answer to the request, from the loop that has the session.
    case answer(HTTPResponse)
    /// The session is not on this loop.
    case nothing
}
