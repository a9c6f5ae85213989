internal import RefreshCluster
internal import RefreshSession
internal import Synchronization

/// The sessions of all loops, for the other nodes of a cluster.
extension LoopDirectory {
    /// The replies of the loops.
    private final class Replies: Sendable {
        let state: Mutex<(missing: Int, rows: [SessionRow])>
        init(missing: Int) { state = Mutex((missing, [])) }
    }

    /// Collects the sessions whose names sort after `after`. `reply` is called once, on the thread
    /// of the loop that is the last to reply.
    func list(after: String?, _ reply: @escaping @Sendable (SessionPage) -> Void) {
        let hosts = all
        let replies = Replies(missing: hosts.count)
        for host in hosts {
            host.post { host, now in
                host.perform(.list(after: after), at: now) { part in
                    let rows = replies.state.withLock { state -> [SessionRow]? in
                        state.missing -= 1
                        if case .rows(let rows) = part { state.rows += rows }
                        return state.missing == 0 ? state.rows : nil
                    }
                    if let rows { reply(SessionPage(rows)) }
                }
            }
        }
    }
}

extension SessionPage {
    /// The first page of the rows in the order of their names.
    init(_ rows: [SessionRow]) {
        let sessions = rows.sorted { $0.name < $1.name }.prefix(SessionList.pageSize).map {
            ListedSession(
                name: $0.name, loop: Int($0.loop), state: $0.state.rawValue, ageMs: $0.ageMs,
                views: $0.views, subject: $0.subject, peer: $0.peer)
        }
        self.init(sessions, hasMore: rows.count > sessions.count)
    }
}
