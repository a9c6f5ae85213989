package import RefreshProtocol
package import WebSocketTransport

/// A connection to a daemon over a WebSocket, in real time. The connection is opened on first use.
package final class WebSocketPeer: Peer {
    private enum Connection {
        case none
        case open(DialedClient)
        case ended
    }

    private let url: String
    private let dialer: Dialer
    private var connection = Connection.none

    /// Creates a connection. `url` is a `ws` or `wss` URL. One `dialer` can open many connections.
    package init(url: String, dialer: Dialer) {
        self.url = url
        self.dialer = dialer
    }

    package var now: Instant { Instant(microseconds: MonotonicClock.nowMicroseconds) }

    package func send(_ text: String) async throws(PeerError) {
        guard let client = try await connectedClient() else {
            throw PeerError("The connection is closed.")
        }
        client.send(text)
    }

    package func receive(until deadline: Instant) async throws(PeerError) -> PeerEvent? {
        guard let client = try await connectedClient() else { return nil }
        let remaining = max(0, deadline.microseconds - now.microseconds)
        switch await client.receive(within: .microseconds(remaining)) {
        case .timedOut: return nil
        case .message(let bytes, isBinary: false):
            return .frame(String(decoding: bytes, as: UTF8.self))
        case .message(_, isBinary: true):
            throw PeerError("The daemon sent a binary frame.")
        case .closed(let code, let reason):
            connection = .ended
            // Code 1005 means a close without a code. Code 1006 means that the connection ended
            // without a close frame (RFC 6455, 7.4.1).
            return .closed(code: (1005...1006).contains(code) ? nil : code, reason: reason)
        }
    }

    package func close() async {
        if case .open(let client) = connection { client.close() }
        connection = .ended
    }

    package func cut() async {
        if case .open(let client) = connection { client.terminate() }
        connection = .ended
    }

    /// Returns the open WebSocket. The first call opens it. Nil if the WebSocket was closed.
    private func connectedClient() async throws(PeerError) -> DialedClient? {
        switch connection {
        case .open(let client): return client
        case .ended: return nil
        case .none: break
        }
        do {
            let client = try await dialer.connect(url)
            connection = .open(client)
            return client
        } catch {
            throw PeerError(error.text(of: url))
        }
    }
}

extension DialFailure {
    /// Returns the reason why the server at `url` was not reached, as text for the terminal.
    package func text(of url: String) -> String {
        switch self {
        case .urlInvalid: "\(url) is not a WebSocket URL"
        case .refused(let status): "\(url) refused the upgrade with status \(status)"
        case .unreachable(let reason): "\(url) cannot be reached: \(reason)"
        case .timedOut: "\(url) did not answer in time"
        }
    }
}
