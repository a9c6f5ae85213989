import RefreshProtocol

/// A client of refreshd: it connects, resumes its session, and shows what the daemon decides.
/// Without a connection it continues by the same rules, with the same engine.
///
/// ```
/// let client = RefreshClient(url: url, configuration: configuration, transport: transport)
/// await client.connect()
/// for await state in await client.states() { show(state.views["list"]) }
/// ```
///
/// All times are milliseconds of the client's clock, whose origin is the creation of the client.
/// Source: docs/protocol.md.
public actor RefreshClient {
    private struct ConnectLimitPassed: Error, CustomStringConvertible {
        let limit: Duration

        var description: String { "There is no connection within \(limit)." }
    }

    private let url: String
    private let transport: any ClientTransport
    private let tokens: (@Sendable () async -> String?)?
    private let origin = ContinuousClock.now
    var machine: ClientMachine
    private var connection: (any TransportConnection)?
    /// Distinguishes the present connection from earlier ones.
    private(set) var dialNumber = 0
    /// The attempt to connect, and the task that gives it up.
    private var attempt: (dial: Task<Void, Never>, limit: Task<Void, Never>)?
    private let connectLimit: Duration
    private let closeLimit: Duration
    /// Cuts the connection if the daemon does not answer `bye`.
    private var closing: Task<Void, Never>?
    let random = SystemRandomNumberGenerator()
    private var timer: (due: Double, task: Task<Void, Never>)?
    private var shown: ClientState
    private var stateStreams: [Int: AsyncStream<ClientState>.Continuation] = [:]
    private var eventStreams: [Int: AsyncStream<ClientEvent>.Continuation] = [:]
    private var lastStream = 0
    private var isClosed = false

    /// Creates a client that is not connected.
    ///
    /// - Parameters:
    ///   - url: The `ws` or `wss` URL of the daemon, such as `wss://example.org/v1/session`.
    ///   - configuration: The views, and what `hello` states.
    ///   - transport: Opens the connections.
    ///   - tokens: Returns the token that authenticates the client. It is called before each
    ///     connection. Nil: the daemon needs none.
    ///   - connectLimit: The time in which `tokens` and `transport` must have opened a connection.
    ///     After it, the attempt has failed: its task is cancelled, and its token and its
    ///     connection are not used.
    ///   - closeLimit: The time that the daemon has to end the connection after `close`. After it,
    ///     the client ends the connection.
    ///   - savedState: What `saveState` of an earlier process has returned; the client continues
    ///     its session. Nil, or a text that cannot be read: the client begins a new session.
    public init(
        url: String, configuration: ClientConfiguration, transport: any ClientTransport,
        tokens: (@Sendable () async -> String?)? = nil, connectLimit: Duration = .seconds(30),
        closeLimit: Duration = .seconds(5), savedState: String? = nil
    ) {
        self.connectLimit = connectLimit
        self.closeLimit = closeLimit
        self.url = url
        self.transport = transport
        self.tokens = tokens
        machine = ClientMachine(configuration, savedState: savedState)
        shown = machine.state
    }

    deinit {
        timer?.task.cancel()
        attempt?.dial.cancel()
        attempt?.limit.cancel()
        // After `close`, the connection ends by itself or after `closeLimit`.
        if !isClosed { connection?.cut() }
        for stream in stateStreams.values { stream.finish() }
        for stream in eventStreams.values { stream.finish() }
    }

    private func finishStreams() {
        for stream in stateStreams.values { stream.finish() }
        for stream in eventStreams.values { stream.finish() }
        (stateStreams, eventStreams) = ([:], [:])
    }

    // MARK: What is shown

    /// The present state.
    public var state: ClientState { shown }

    /// The present time of the client's clock, in milliseconds.
    public nonisolated var now: Double {
        let (seconds, attoseconds) = (ContinuousClock.now - origin).components
        return Double(seconds) * 1000 + Double(attoseconds) / 1e15
    }

    /// The states from now on, beginning with the present one. A reader that is slow receives the
    /// newest state, and no backlog. The sequence ends after `close`.
    public func states() -> AsyncStream<ClientState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ClientState.self, bufferingPolicy: .bufferingNewest(1))
        lastStream += 1
        let number = lastStream
        stateStreams[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.removeStream(number) }
        }
        continuation.yield(shown)
        if isClosed { finishStreams() }
        return stream
    }

    /// The largest number of events that wait for one reader of `events()`.
    public static let waitingEventsMax = 1024

    /// The events from now on, in order: cues, loads, faults. At most `waitingEventsMax` events
    /// wait for a reader. If a reader is slower, it loses the oldest ones. The loads among them are
    /// still in `ViewState.loads`. The sequence ends after `close`.
    public func events() -> AsyncStream<ClientEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ClientEvent.self, bufferingPolicy: .bufferingNewest(Self.waitingEventsMax))
        lastStream += 1
        let number = lastStream
        eventStreams[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.removeStream(number) }
        }
        if isClosed { finishStreams() }
        return stream
    }

    private func removeStream(_ number: Int) {
        stateStreams[number] = nil
        eventStreams[number] = nil
    }

    // MARK: The connection

    /// Connects. After this, the client connects again by itself, with back-off. In the background,
    /// the client waits for `enterForeground`. A URL that does not begin with `ws://` or `wss://`
    /// is refused at once (`ClientState.refusal`).
    public func connect() {
        let isWebSocket = url.hasPrefix("ws://") || url.hasPrefix("wss://")
        guard isWebSocket else {
            return perform { [url] machine, _ in
                machine.refuse("\(url) is not a WebSocket URL: it must begin with ws:// or wss://.")
            }
        }
        perform { machine, _ in machine.connect() }
    }

    /// Ends the session for good. The sequences of states and events end, and all later calls have
    /// no effect. The connection ends when the daemon has closed it, at the latest after the
    /// `closeLimit` of the initializer.
    public func close() {
        guard !isClosed else { return }
        perform { machine, now in machine.close(at: now) }
        isClosed = true
        timer?.task.cancel()
        if let connection {
            closing = Task { [closeLimit] in
                do { try await Task.sleep(for: closeLimit) } catch { return }
                connection.cut()
            }
        } else {
            giveUpAttempt()
        }
        finishStreams()
    }

    /// The app goes to the background. Its views count as not visible, the connection is closed,
    /// and the session is kept.
    public func enterBackground() { perform { machine, now in machine.suspend(at: now) } }

    /// The app is in the foreground again: the client connects at once and resumes its session.
    public func enterForeground() { perform { machine, now in machine.resume(at: now) } }

    /// A network is available. A client that waits before it connects again connects at once. A
    /// client with a session checks at once whether its connection still works: if not, the client
    /// notices it within 5 s.
    public func networkBecameAvailable() {
        perform { machine, now in machine.networkBecameAvailable(at: now) }
    }

    /// The state with which another process continues the session: an opaque text with the secret
    /// token of the session, the messages that wait, and the items. Keep it where only the app can
    /// read it. Call this function after `enterBackground`, before the process ends. Each state is
    /// for one process.
    ///
    /// - Returns: The state, or nil if there is no session that can be resumed.
    public func saveState() -> String? { isClosed ? nil : machine.savedState }

    /// Breaks the connection, like a network failure.
    package func cutConnection() { connection?.cut() }

    /// Performs a change of the machine, and its effects.
    func perform(_ change: (inout ClientMachine, _ now: Double) -> [ClientMachine.Effect]) {
        guard !isClosed else { return }
        let effects = change(&machine, now)
        for effect in effects { perform(effect) }
        publish()
        schedule()
    }

    private func perform(_ effect: ClientMachine.Effect) {
        switch effect {
        case .dial: dial()
        case .send(let text): connection?.send(text)
        case .cut: connection?.cut()
        case .close:
            connection?.close(code: 1000)
            connection = nil
            giveUpAttempt()
        case .emit(let event): for stream in eventStreams.values { stream.yield(event) }
        }
    }

    private func publish() {
        let state = machine.state
        guard state != shown else { return }
        shown = state
        for stream in stateStreams.values { stream.yield(state) }
    }

    private func schedule() {
        guard let due = machine.nextDeadline else { return }
        if let timer, timer.due <= due { return }
        timer?.task.cancel()
        // A timer that fires early finds nothing due, and is set again.
        let milliseconds = min(max(due - now, 0), JSONValue.durationMax)
        let wait = Duration.microseconds(Int64(milliseconds * 1000) + 1)
        let task = Task { [weak self] in
            do { try await Task.sleep(for: wait) } catch { return }
            await self?.wake()
        }
        timer = (due, task)
    }

    private func wake() {
        timer = nil
        perform { machine, now in machine.timePassed(at: now) }
    }

    private func dial() {
        giveUpAttempt()
        let number = dialNumber
        let dial = Task { [weak self, url, transport, tokens] in
            let token = await tokens?()
            guard await self?.use(token, number) == true else { return }
            let connection: any TransportConnection
            do {
                connection = try await transport.connect(
                    to: url, subprotocol: ProtocolVersion.subprotocol)
            } catch {
                await self?.failed(error, number)
                return
            }
            guard await self?.opened(connection, number) == true else { return connection.cut() }
            while true {
                switch await connection.receive() {
                case .text(let text): await self?.received(text, number)
                case .closed(let code): return await self?.ended(code, number) ?? ()
                }
            }
        }
        let limit = Task { [weak self, connectLimit] in
            do { try await Task.sleep(for: connectLimit) } catch { return }
            await self?.attemptTimedOut(number)
        }
        attempt = (dial, limit)
    }

    /// Ends an attempt that has no connection yet. What it still reports is ignored.
    private func giveUpAttempt() {
        dialNumber += 1
        attempt?.dial.cancel()
        attempt?.limit.cancel()
        attempt = nil
    }

    private func attemptTimedOut(_ number: Int) {
        guard number == dialNumber, connection == nil else { return }
        giveUpAttempt()
        failed(ConnectLimitPassed(limit: connectLimit), dialNumber)
    }

    /// Uses a token for the next `hello`. Returns false, and does not use it, if the attempt for
    /// which it was requested is not the present one.
    func use(_ token: String?, _ number: Int) -> Bool {
        guard number == dialNumber else { return false }
        machine.token = token
        return true
    }

    /// An attempt to connect has failed.
    private func failed(_ error: any Error, _ number: Int) {
        guard number == dialNumber else { return }
        let reason = String(describing: error)
        // After a `welcome`, a proxy may answer so for a while.
        if [400, 403, 404].contains((error as? any HTTPStatusError)?.status),
            !machine.link.wasWelcomed
        {
            giveUpAttempt()
            return perform { machine, _ in machine.refuse(reason) }
        }
        for stream in eventStreams.values { stream.yield(.connectionFailed(reason: reason)) }
        ended(1006, number)
    }

    private func opened(_ connection: any TransportConnection, _ number: Int) -> Bool {
        guard number == dialNumber else { return false }
        // The dialing task now receives, and is not cancelled with an attempt.
        attempt?.limit.cancel()
        attempt = nil
        self.connection = connection
        perform { machine, now in machine.opened(at: now) }
        return true
    }

    private func received(_ text: String, _ number: Int) {
        guard number == dialNumber else { return }
        perform { machine, now in machine.received(text, at: now) }
    }

    private func ended(_ code: Int, _ number: Int) {
        guard number == dialNumber else { return }
        attempt?.limit.cancel()
        attempt = nil
        connection = nil
        closing?.cancel()
        var random = self.random
        perform { machine, now in machine.ended(code: code, at: now, random: &random) }
    }
}
