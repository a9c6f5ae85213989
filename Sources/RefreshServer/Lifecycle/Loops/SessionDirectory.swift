internal import RefreshProtocol
internal import RefreshSession
internal import Synchronization

/// The places of the sessions that clients may resume. The place of a session is its loop and its
/// slot there. May be used on any thread.
///
/// Clients refer to a session by its name. Loads refer to a session by the place where it was
/// opened. After a move, both references resolve to the new place. If a caller does not find the
/// session at the returned place, the session has ended or has moved again. The caller must then
/// repeat the lookup.
final class SessionDirectory: Sendable {
    private struct State {
        var places: [String: SessionKey] = [:]
        /// The places of sessions that have moved, by the place where they were opened.
        var newKeys: [SessionKey: SessionKey] = [:]
        var waiting = DetachedSessionEviction()
    }

    private let state = Mutex(State())

    /// Registers a session that is open at `key`. Returns false, and changes nothing, if the name
    /// is taken.
    @discardableResult
    func register(_ session: String, at key: SessionKey) -> Bool {
        state.withLock { state in
            guard state.places[session] == nil else { return false }
            state.places[session] = key
            return true
        }
    }

    /// Removes a session that has ended at `key`.
    func remove(_ session: String, initialKey: SessionKey, at key: SessionKey) {
        state.withLock { state in
            if state.places[session] == key { state.places[session] = nil }
            if state.newKeys[initialKey] == key { state.newKeys[initialKey] = nil }
            state.waiting.remove(key)
        }
    }

    /// Moves a session to `key`. `handOff` passes the session to the loop of `key`. `handOff` is
    /// called before any lookup returns the new place. Jobs that callers post to the new place
    /// therefore arrive after the session.
    func move(
        _ session: String, initialKey: SessionKey, from old: SessionKey,
        to key: SessionKey,
        handing handOff: () -> Void = {}
    ) {
        state.withLock { state in
            handOff()
            state.waiting.remove(old)
            state.places[session] = key
            state.newKeys[initialKey] = key == initialKey ? nil : key
        }
    }

    /// The place of the session with that name.
    func key(of session: String) -> SessionKey? { state.withLock { $0.places[session] } }

    /// Whether the session with that name has a connection. The daemon may notice late that a
    /// connection was lost.
    func isConnected(_ session: String) -> Bool {
        state.withLock { state in
            state.places[session].map { !state.waiting.contains($0) } ?? false
        }
    }

    /// The place of the session that was opened at `initialKey`; nil if the session has not moved.
    func key(initialKey: SessionKey) -> SessionKey? {
        state.withLock { $0.newKeys[initialKey] }
    }

    /// Registers the session at `key` as waiting for its client, with the bytes that the session
    /// uses. If a limit is exceeded, returns the sessions that must end. They belong to the clients
    /// with the most detached sessions or bytes.
    func registerDetached(
        at key: SessionKey, of holder: SessionHolder, holding bytes: Int, within limits: Limits
    ) -> [SessionKey] {
        state.withLock {
            $0.waiting.insert(
                key, of: holder, holding: bytes, most: limits.detachedSessionsMax,
                bytesMax: limits.detachedBytesMax)
        }
    }

    /// Updates the bytes that the waiting session at `key` uses. Returns the sessions that must end
    /// after this change.
    func updateBytes(at key: SessionKey, holding bytes: Int, within limits: Limits) -> [SessionKey]
    {
        state.withLock {
            $0.waiting.updateBytes(of: key, holding: bytes, bytesMax: limits.detachedBytesMax)
        }
    }

    /// The bytes that all waiting sessions use together.
    var waitingBytes: Int { state.withLock { $0.waiting.bytes } }

    /// Removes and returns an eighth of the waiting sessions, but at least 16 if there are so many.
    /// The caller must end them. The removed sessions belong to the holders with the most bytes.
    func removeHeaviest() -> [SessionKey] {
        state.withLock { $0.waiting.removeHeaviest() }
    }
}
