internal import RefreshCluster
internal import RefreshProtocol
internal import RefreshSession
internal import Synchronization

/// The limits of clients. Source: docs/cluster.md, "Limits of clients".
extension ConnectionLimiter {
    /// The handshakes that an allowance can lack because of those at other nodes, in seconds.
    private static let lackSecondsMax = 10.0

    /// Makes the limits of clients apply to the whole cluster.
    func joinCluster(_ keys: CountKeys) { state.withLock { $0.clients.keys = keys } }

    /// Applies the counts of the other nodes.
    func apply(_ counts: ClusterCounts, at now: Instant) {
        state.withLock { state in
            state.clients.counts = counts
            state.updateHandshakesMax(at: now)
            for (key, count) in counts.others.handshakes {
                state.handshakesByKey.charge(
                    count, to: key, secondsMax: Self.lackSecondsMax, at: now)
            }
        }
    }

    /// Returns the counts of this node that other nodes must know.
    func removeClusterCounts() -> NodeCounts {
        state.withLock { state in
            let keys = state.clients.keys
            return state.clients.removeCounts(connections: state.byNetwork) {
                State.key(of: $0, by: keys)
            }
        }
    }

    /// Counts a session against `sessionsPerSubjectMax`. See `ClientLimits.add`.
    func addSession(
        _ session: SessionKey, of subject: String, resumes: Bool, replaces: Bool
    ) -> Bool {
        state.withLock {
            $0.clients.add(session, of: subject, resumes: resumes, replaces: replaces)
        }
    }

    /// Whether the subject of a counted session has no more sessions than with a new client.
    func isWithinLimit(_ session: SessionKey) -> Bool {
        state.withLock { $0.clients.isWithinLimit(session) }
    }

    /// Stops counting a session.
    func removeSession(_ session: SessionKey) { state.withLock { $0.clients.remove(session) } }
}
