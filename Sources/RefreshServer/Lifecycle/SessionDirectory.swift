internal import RefreshProtocol
internal import Synchronization

/// Where the daemon's open sessions are: those that somebody may come back to. From any thread.
///
/// A session is named by its clients, and by its loads, which know where it was opened. When it
/// goes on elsewhere both are led there; who was led to a place that it has left asks again.
final class SessionDirectory: Sendable {
    private struct State {
        var places: [String: SessionKey] = [:]
        /// Where sessions are that are not where they were opened, by that.
        var moved: [SessionKey: SessionKey] = [:]
        var waiting = WaitingLine()
    }

    private let state = Mutex(State())

    /// A session is open at `key`. False, and nothing is changed, if there is one of that name
    /// already.
    @discardableResult
    func enter(_ session: String, at key: SessionKey) -> Bool {
        state.withLock { state in
            guard state.places[session] == nil else { return false }
            state.places[session] = key
            return true
        }
    }

    /// It has ended at `key`.
    func leave(_ session: String, born birthplace: SessionKey, at key: SessionKey) {
        state.withLock { state in
            if state.places[session] == key { state.places[session] = nil }
            if state.moved[birthplace] == key { state.moved[birthplace] = nil }
            state.waiting.leave(key)
        }
    }

    /// It goes on at `key`. `hand`, which hands it to the loop there, is called before anybody is
    /// led there: so what is sent after it comes after it.
    func move(
        _ session: String, born birthplace: SessionKey, from old: SessionKey, to key: SessionKey,
        handing hand: () -> Void = {}
    ) {
        state.withLock { state in
            hand()
            state.waiting.leave(old)
            state.places[session] = key
            state.moved[birthplace] = key == birthplace ? nil : key
        }
    }

    /// Where the session of that name is.
    func place(of session: String) -> SessionKey? { state.withLock { $0.places[session] } }

    /// Whether the session of that name has a connection, as far as is known.
    func isConnected(_ session: String) -> Bool {
        state.withLock { state in
            state.places[session].map { !state.waiting.contains($0) } ?? false
        }
    }

    /// Where the session is that was opened there and has gone on elsewhere.
    func place(born birthplace: SessionKey) -> SessionKey? {
        state.withLock { $0.moved[birthplace] }
    }

    /// The session at `key` waits for its client and holds so many bytes. If more wait than may, or
    /// hold more: those of who has most, that are to end.
    func wait(
        at key: SessionKey, of holder: SessionHolder, holding bytes: Int, within limits: Limits
    ) -> [SessionKey] {
        state.withLock {
            $0.waiting.enter(
                key, of: holder, holding: bytes, most: limits.detachedSessionsMax,
                bytesMax: limits.detachedBytesMax)
        }
    }

    /// The session at `key`, which waits, holds so many bytes now. Those that are to end for it.
    func weigh(at key: SessionKey, holding bytes: Int, within limits: Limits) -> [SessionKey] {
        state.withLock {
            $0.waiting.weigh(key, holding: bytes, bytesMax: limits.detachedBytesMax)
        }
    }

    /// What all that wait hold together.
    var waitingBytes: Int { state.withLock { $0.waiting.bytes } }

    /// Takes an eighth of those who wait out of the line, of who has most: they are to end.
    func takeHeaviest() -> [SessionKey] {
        state.withLock { $0.waiting.takeHeaviest() }
    }
}
