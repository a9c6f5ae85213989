import Foundation
public import RefreshClient
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The transport of a client on Apple's platforms. It uses URLSession and its trust in
/// certificates.
public final class URLSessionTransport: ClientTransport {
    /// Creates a transport with a session of its own.
    public init() {}

    /// Opens a connection.
    ///
    /// - Throws: `UpgradeRefused` if the server answers without a WebSocket. `URLError` if the URL
    ///   is not valid, or if there is no answer.
    public func connect(
        to url: String, subprotocol: String
    ) async throws -> any TransportConnection {
        guard let url = URL(string: url) else { throw URLError(.badURL) }
        let connection = URLSessionConnection()
        try await connection.open(url, subprotocol)
        return connection
    }
}

/// The server has answered the upgrade without a WebSocket.
public struct UpgradeRefused: HTTPStatusError, Hashable, CustomStringConvertible {
    /// The URL of the upgrade.
    public let url: String
    /// The HTTP status of the answer, such as 404.
    public let status: Int?

    init(url: String, status: Int) { (self.url, self.status) = (url, status) }

    /// The reason in English.
    public var description: String {
        "\(url) was answered with the status \(status.map(String.init) ?? "unknown")."
    }
}

/// One connection, which is the delegate of its session: the session reports when the
/// connection is open or could not be opened.
private final class URLSessionConnection: NSObject, URLSessionWebSocketDelegate,
    TransportConnection
{
    private struct State {
        var session: URLSession?
        var task: URLSessionWebSocketTask?
        var opening: CheckedContinuation<Void, any Error>?
        var sending: Task<Void, Never>?
    }

    private let state = Mutex(State())

    func open(_ url: URL, _ subprotocol: String) async throws {
        let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
        let task = session.webSocketTask(with: url, protocols: [subprotocol])
        // The size of a message has no limit, as with the other transports.
        task.maximumMessageSize = .max
        try await withCheckedThrowingContinuation { continuation in
            state.withLock { state in
                state.session = session
                state.task = task
                state.opening = continuation
            }
            task.resume()
        }
    }

    private func finishOpening(_ result: Result<Void, any Error>) {
        let opening = state.withLock { state in
            defer { state.opening = nil }
            return state.opening
        }
        opening?.resume(with: result)
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    ) {
        finishOpening(.success(()))
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith code: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
        // `receive` reads the code from the task.
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let status = (task.response as? HTTPURLResponse)?.statusCode
        if let status, status != 101 {
            let url = task.originalRequest?.url?.absoluteString ?? ""
            finishOpening(.failure(UpgradeRefused(url: url, status: status)))
        } else {
            finishOpening(.failure(error ?? URLError(.networkConnectionLost)))
        }
        session.finishTasksAndInvalidate()
    }

    func send(_ text: String) {
        state.withLock { state in
            guard let task = state.task else { return }
            let before = state.sending
            // Messages are sent one after another, in their order.
            state.sending = Task {
                await before?.value
                try? await task.send(.string(text))
            }
        }
    }

    func receive() async -> ConnectionEvent {
        guard let task = state.withLock({ $0.task }) else { return .closed(code: 1006) }
        while true {
            guard let message = try? await task.receive() else {
                let code = task.closeCode.rawValue
                return .closed(code: code > 0 ? code : 1006)
            }
            if case .string(let text) = message { return .text(text) }
        }
    }

    func close(code: UInt16) {
        let code = URLSessionWebSocketTask.CloseCode(rawValue: Int(code)) ?? .normalClosure
        state.withLock { $0.task }?.cancel(with: code, reason: nil)
    }

    func cut() { state.withLock { $0.task }?.cancel() }
}
