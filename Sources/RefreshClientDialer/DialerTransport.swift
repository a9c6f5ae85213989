public import RefreshClient
import WebSocketTransport

/// The transport of a client on Linux. It uses libwebsockets, with one thread for all connections.
public final class DialerTransport: ClientTransport {
    private let dialer: Dialer

    /// Starts the thread.
    ///
    /// - Parameter authorities: A PEM file with the certificate authorities that `wss` URLs need.
    ///   Nil: those of the system.
    /// - Throws: `TransportUnavailable` if the thread cannot start.
    public init(authorities: String? = nil) throws(TransportUnavailable) {
        do throws(TransportError) {
            dialer = try Dialer(trusting: TLSAuthorities(file: authorities))
        } catch {
            throw TransportUnavailable(reason: "\(error)")
        }
    }

    deinit { dialer.stop() }

    /// Opens a connection, within five seconds.
    ///
    /// - Throws: `ConnectionFailure`.
    public func connect(
        to url: String, subprotocol: String
    ) async throws -> any TransportConnection {
        do throws(DialFailure) {
            return DialerConnection(try await dialer.connect(url, subprotocol: subprotocol))
        } catch {
            throw ConnectionFailure(error, of: url)
        }
    }
}

/// The reason why there is no connection. Its description is the text of
/// `ClientEvent.connectionFailed`.
public struct ConnectionFailure: HTTPStatusError, Hashable, CustomStringConvertible {
    /// The reason in English.
    public let description: String
    /// The HTTP status with which the upgrade was refused; nil if there was no answer.
    public let status: Int?

    init(_ failure: DialFailure, of url: String) {
        status = if case .refused(let status) = failure { status } else { nil }
        description =
            switch failure {
            case .urlInvalid: "\(url) is not a valid ws or wss URL."
            case .refused(404):
                "\(url) was answered with the status 404. The path of the daemon is /v1/session."
            case .refused(let status): "\(url) was answered with the status \(status)."
            case .unreachable(let reason): Self.text(of: reason, url: url)
            case .timedOut: "\(url) was not answered within 5 s."
            }
    }

    private static func text(of reason: String, url: String) -> String {
        let advice =
            url.hasPrefix("wss://")
            ? "Does a daemon with TLS and a trusted certificate listen at this host and port? "
                + "Without TLS, its URL begins with ws."
            : "Does a daemon listen at this host and port? With TLS, its URL begins with wss."
        // libwebsockets gives no reason, or this one, for a port that refuses and for a host whose
        // name is not known.
        let isVague = reason.isEmpty || reason == "closed before established"
        return "\(url) cannot be reached\(isVague ? "" : " (\(reason))"). \(advice)"
    }
}

/// The reason why a transport could not start.
public struct TransportUnavailable: Error, Hashable, Sendable {
    /// The text of the reason, in English.
    public let reason: String
}

private final class DialerConnection: TransportConnection {
    /// How long one wait for a message lasts. After it, the next wait begins.
    private static let wait = Duration.seconds(3600)
    private let client: DialedClient

    init(_ client: DialedClient) { self.client = client }

    func send(_ text: String) { client.send(text) }
    func close(code: UInt16) { client.close(code: code) }
    func cut() { client.terminate() }

    func receive() async -> ConnectionEvent {
        while true {
            let event = await client.receive(within: Self.wait)
            if let text = event.text { return .text(text) }
            if case .closed(let code, _) = event { return .closed(code: Int(code)) }
        }
    }
}
